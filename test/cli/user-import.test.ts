import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { serve } from '../helpers/service/serve.js'
import { namesIn, usersIn, writeUsers } from './users-file.js'

const cheapBcrypt = 4

test('people with a hash from elsewhere and people with a password sign in, while the server runs', async (t) => {
  const cli = await createCli(t)
  const server = await serve(t, cli.directory)
  const file = writeUsers(cli, [
    ['username', 'password', 'passwordHash', 'forcePasswordChange'],
    ['plain', userPassword, '', ''],
    ['trusted', userPassword, '', 'FALSE'],
    ['2a', '', (await bcrypt('old horse', cheapBcrypt)).replace('$2b$', '$2a$'), ''],
    ['2y', '', (await bcrypt('old horse', cheapBcrypt)).replace('$2b$', '$2y$'), ''],
    ['argon', '', await argon2('old horse', { memoryCost: 8192 }), ''],
    ['reset', '', await bcrypt('old horse', cheapBcrypt), 'true'],
    ['nobody', '', '', ''],
  ])
  t.equal(await cli.done(['user', 'import', file]), 'Added 7 users, refused 0 rows.\n')
  for (const [username, password, forcePasswordChange] of [
    ['plain', userPassword, true],
    ['trusted', userPassword, false],
    ['2a', 'old horse', false],
    ['2y', 'old horse', false],
    ['argon', 'old horse', false],
    ['reset', 'old horse', true],
  ] as const) {
    const { status, body } = await server.signIn(username, password)
    t.equal(status, 200, `${username}: ${body.message}`)
    t.equal(body.data.forcePasswordChange, forcePasswordChange, username)
    t.equal((await server.signIn(username, `${password}r`)).status, 400)
  }
  for (const password of [userPassword, 'old horse', ' ']) {
    t.match((await server.signIn('nobody', password)).body.data, { reason: 'invalid_credentials' })
  }
  t.notMatch(JSON.stringify(cli.content()), userPassword, 'stored only as a hash')
})

test('every column arrives, from a file as Excel writes it', async (t) => {
  const cli = await createCli(t)
  const { id } = await cli.json('tenant add 华东')
  for (const tenant of [1, id]) await cli.done(`role add reader system:user:list --tenant ${tenant}`)
  await cli.done(`role add writer system:user:add --tenant ${id}`)
  const lines = [
    'User Name,real_name,Phone,EMAIL,Roles,User Type,Tenant,User Status,Gender,Remark',
    '王小明,"王, ""小"" 明",+86 138 0013 8000,xm@example.com,reader | writer,1,华东,0,2,"第一行\r\n第二行"',
    '',
    ',,,,,,,,,',
    `alice,,,,reader,,${id},,,`,
    'alice,,,,reader,,,,,',
  ]
  const file = writeUsers(cli, `\uFEFF${lines.join('\r\n')}\r\n`)
  t.same(await cli.json(`user import ${file}`), {
    refusals: [],
    mode: 'each',
    rows: 3,
    added: 3,
    refused: 0,
    interrupted: false,
  })
  const [xiaoming, alice, other] = usersIn(cli)
  t.match(xiaoming, {
    tenant_id: id,
    username: '王小明',
    real_name: '王, "小" 明',
    phone: '13800138000',
    phone_key: '+8613800138000',
    email: 'xm@example.com',
    user_type: 1,
    user_status: 0,
    gender: 2,
    remark: '第一行\r\n第二行',
    password_hash: null,
    force_password_change: 0,
  })
  t.match(alice, {
    tenant_id: id,
    real_name: 'alice',
    phone: null,
    user_type: 2,
    user_status: 1,
    gender: 0,
    remark: null,
  })
  t.match(other, { tenant_id: 1, username: 'alice' })
  t.equal(cli.content()['user_roles']?.length, 1 + 4)
})

test('--tenant is for the rows that name none, --no-force-change for those that do not say', async (t) => {
  const cli = await createCli(t)
  const { id } = await cli.json('tenant add Acme')
  const file = writeUsers(cli, [
    ['username', 'tenant', 'password', 'forcePasswordChange'],
    ['one', '', userPassword, ''],
    ['two', '1', userPassword, 'true'],
  ])
  await cli.done(['user', 'import', file, '--tenant', 'acme', '--no-force-change'])
  t.match(usersIn(cli), [
    { username: 'one', tenant_id: id, force_password_change: 0 },
    { username: 'two', tenant_id: 1, force_password_change: 1 },
  ])
})

test('a template that was saved as CSV is read: labels of both languages, and no example', async (t) => {
  const cli = await createCli(t)
  const example = 'zhangsan,张三,13800138000,zhangsan@example.com,,普通用户,,,,,正常,女,示例：此行不修改则不会导入'
  const header = '用户名,真实姓名,手机号,邮箱,角色,用户类型,租户,密码,密码哈希,首次登录修改密码,用户状态,性别,备注'
  const rows = [`alice,,,,,Tenant administrator,,${userPassword},,否,停用,Female,`, `,${','.repeat(12)}`]
  const file = writeUsers(cli, `\uFEFF${[header, example, ...rows].join('\r\n')}`)
  t.equal(await cli.done(['user', 'import', file]), 'Added 1 user, refused 0 rows.\n')
  t.same(namesIn(cli), ['alice'])
  t.match(usersIn(cli), [{ user_type: 1, user_status: 0, gender: 2, force_password_change: 0 }])
  const changed = writeUsers(cli, [header, example.replace('张三', '李四')].join('\n'))
  t.equal(await cli.done(['user', 'import', changed]), 'Added 1 user, refused 0 rows.\n')
  t.same(namesIn(cli), ['alice', 'zhangsan'])
  const bars = writeUsers(cli, `username|password\nbob|${userPassword}\n`)
  const reason = `${bars}: the cells must be separated by commas, semicolons or tabs.\n`
  expectRefusal(t, await cli.run(['user', 'import', bars]), 1, reason)
})

test('--atomic adds all rows when all are good, --dry-run none', async (t) => {
  const cli = await createCli(t)
  const rows = [
    ['username', 'password', 'remark'],
    ['alice', userPassword, 'a\u2028b'],
    ['bob', '', ''],
  ]
  const file = writeUsers(cli, rows)
  t.equal(await cli.done(['user', 'import', file, '--dry-run']), 'Would add 2 users and refuse 0 rows.\n')
  t.same(namesIn(cli), [])
  t.equal(await cli.done(['user', 'import', file, '--atomic']), 'Added 2 users, refused 0 rows.\n')
  t.match(usersIn(cli), [{ username: 'alice', remark: 'a\u2028b' }, { username: 'bob' }])
  const server = await serve(t, cli.directory)
  t.equal((await server.signIn('alice', userPassword)).status, 200)
})

test('many passwords are hashed without overfilling the queue of the hashes', async (t) => {
  const cli = await createCli(t)
  const path = join(cli.directory, 'config.json')
  const settings = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...settings, passwords: { ...settings.passwords, queueLength: 1 } }))
  const people = Array.from({ length: 30 }, (_, index) => [`user${index}`, `${userPassword} ${index}`])
  const file = writeUsers(cli, [['username', 'password'], ...people])
  const { code, stdout, stderr } = await cli.run(['user', 'import', file])
  t.equal(code, 0)
  t.equal(stdout, 'Added 30 users, refused 0 rows.\n')
  t.match(stderr, /^(Importing: \d+ of 30\n)*$/, 'nothing but the progress that is shown where it takes long')
})

test('each added user is in the audit trail, in both ways to import, and nobody of an import that was refused', async (t) => {
  const cli = await createCli(t)
  const add = (names: string[], options = '') => {
    const file = writeUsers(cli, ['username', ...names].join('\n'))
    return cli.run(['user', 'import', file, ...options.split(' ').filter(Boolean)])
  }
  await add(['alice', 'admin', 'bob'])
  await add(['carol'], '--atomic')
  await add(['dora', 'admin'], '--atomic')
  await add(['erin'], '--dry-run')
  const { records } = await cli.json('audit --action user.add')
  t.match(
    records.map(({ targetName, targetType, source }: Record<string, string>) => [targetName, targetType, source]),
    ['carol', 'bob', 'alice'].map((name) => [name, 'user', 'command line']),
  )
  t.equal(records.length, 3)
  t.match((await cli.json('audit --action user.import')).records, [{ after: { users: 1 } }, { after: { users: 2 } }])
})
