import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { test } from 'tap'
import { createCli, expectRefusal, type Cli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { serve } from '../helpers/service/serve.js'

const cheapBcrypt = 4
const someHash = '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'

const write = ({ directory }: Cli, content: string | Buffer | string[][]): string => {
  const file = join(directory, 'users.csv')
  const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  writeFileSync(file, Array.isArray(content) ? content.map((row) => row.map(quote).join(',')).join('\n') : content)
  return file
}
const usersIn = (cli: Cli) => (cli.content()['users'] as Record<string, unknown>[]).slice(1)
const namesIn = (cli: Cli) => usersIn(cli).map(({ username }) => username)

test('people with a hash from elsewhere and people with a password sign in, while the server runs', async (t) => {
  const cli = await createCli(t)
  const server = await serve(t, cli.directory)
  const file = write(cli, [
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
  const file = write(cli, `\uFEFF${lines.join('\r\n')}\r\n`)
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
  const file = write(cli, [
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
  const file = write(cli, `\uFEFF${[header, example, ...rows].join('\r\n')}`)
  t.equal(await cli.done(['user', 'import', file]), 'Added 1 user, refused 0 rows.\n')
  t.same(namesIn(cli), ['alice'])
  t.match(usersIn(cli), [{ user_type: 1, user_status: 0, gender: 2, force_password_change: 0 }])
  const changed = write(cli, [header, example.replace('张三', '李四')].join('\n'))
  t.equal(await cli.done(['user', 'import', changed]), 'Added 1 user, refused 0 rows.\n')
  t.same(namesIn(cli), ['alice', 'zhangsan'])
  const semicolons = write(cli, `username;password\nbob;${userPassword}\n`)
  const reason = `${semicolons}: the cells must be separated by commas, not by semicolons, tabs or other signs.\n`
  expectRefusal(t, await cli.run(['user', 'import', semicolons]), 1, reason)
})

const secret = 'hunter2 hunter2'
const header = [
  'username',
  'phone',
  'email',
  'roles',
  'userType',
  'tenant',
  'password',
  'passwordHash',
  'gender',
  'remark',
]
const badRows: [row: Record<string, string>, message: string][] = [
  [{ username: '', phone: '13800138001' }, 'username must be 1 to 64 visible characters'],
  [{ username: 'x\u200b' }, 'username must be 1 to 64 visible characters'],
  [{ username: 'ADMIN' }, 'username is already taken'],
  [{ username: 'x', phone: '12' }, 'phone must be a phone number'],
  [{ username: 'x', phone: '0086 138 0013 8000' }, 'phone is already taken'],
  [{ username: 'x', email: 'Good@Example.COM' }, 'email is already taken'],
  [{ username: 'x', email: 'x' }, 'email must be an e-mail address'],
  [{ username: 'x', roles: 'admin|nix' }, 'roles names no role of this tenant: nix'],
  [
    { username: 'x', userType: '3' },
    'userType must be one of 0, 1, 2, System administrator, Tenant administrator, User',
  ],
  [{ username: 'x', gender: '__proto__' }, 'gender must be one of 0, 1, 2, Unknown, Male, Female'],
  [{ username: 'x', tenant: 'Nowhere' }, 'tenant is not a known tenant'],
  [{ username: 'x', password: 'short' }, 'password must have at least 8 characters'],
  [{ username: 'x', password: 'password1' }, 'password is a common password, please choose another'],
  [
    { username: 'x', password: secret, passwordHash: someHash },
    'passwordHash must not be given together with a password',
  ],
  [
    { username: 'x', passwordHash: secret },
    'passwordHash must be a bcrypt or argon2id hash whose cost is within the limits',
  ],
  [
    { username: 'x', passwordHash: someHash.replace('$10$', '$31$') },
    'passwordHash must be a bcrypt or argon2id hash whose cost is within the limits',
  ],
  [{ username: 'x', password: someHash }, 'password looks like a hash: put it into passwordHash instead'],
  [
    { username: 'x', password: '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$aGFzaA' },
    'password looks like a hash: put it into passwordHash instead',
  ],
  [{ username: 'x', remark: 'a\0b' }, 'remark must not contain a NUL character'],
  [{ username: 'x', remark: '长'.repeat(501) }, 'remark must have at most 500 characters'],
  [{ username: 'good', phone: '12' }, 'phone must be a phone number'],
  [
    { username: 'GOOD', phone: '13800138000', email: 'good@example.com' },
    'username is already taken; phone is already taken; email is already taken',
  ],
]
const mixedFile = (cli: Cli) => {
  const good = { username: 'good', phone: '13800138000', email: 'good@example.com', remark: 'two\nlines' }
  const rows: Record<string, string>[] = [good, ...badRows.map(([row]) => row), { username: 'last' }]
  return write(cli, [header, ...rows.map((row) => header.map((name) => row[name] ?? '')), ['one', 'two']])
}
/** Good is on the lines 2 and 3. */
const expectedLines = [
  ...badRows.map(([, message], index) => `line ${index + 4}: ${message}`),
  `line ${badRows.length + 5}: row must have ${header.length} fields, like the first line`,
]

test('good rows go in, each bad row is told by line and reason, and no password is', async (t) => {
  const cli = await createCli(t)
  const { code, stdout, stderr } = await cli.run(['user', 'import', mixedFile(cli)])
  t.equal(code, 1)
  t.equal(stdout, `Added 2 users, refused ${expectedLines.length} rows.\n`)
  t.same(stderr.trimEnd().split('\n'), expectedLines)
  t.same(namesIn(cli), ['good', 'last'])
  t.notMatch(stdout + stderr, /hunter2|short\b/)
})

test('--json gives the same as one value', async (t) => {
  const cli = await createCli(t)
  const { code, stdout, stderr } = await cli.run(['user', 'import', mixedFile(cli), '--json'])
  t.equal(code, 1)
  t.equal(stderr, '')
  const { refusals, ...summary } = JSON.parse(stdout)
  const count = expectedLines.length
  t.same(summary, { mode: 'each', rows: count + 2, added: 2, refused: count, interrupted: false })
  t.same(refusals[0], { line: 4, violations: [{ field: 'username', message: 'must be 1 to 64 visible characters' }] })
  t.equal(refusals.length, count)
  t.notMatch(stdout, /hunter2/)
})

for (const [option, summary] of [
  ['--atomic', `Refused ${expectedLines.length} rows; nobody was added.\n`],
  ['--dry-run', `Would add 2 users and refuse ${expectedLines.length} rows.\n`],
] as const) {
  test(`${option} tells every bad row and adds nobody`, async (t) => {
    const cli = await createCli(t)
    const before = cli.content()
    const { code, stdout, stderr } = await cli.run(['user', 'import', mixedFile(cli), option])
    t.equal(code, 1)
    t.equal(stdout, summary)
    t.same(stderr.trimEnd().split('\n').sort(), [...expectedLines].sort())
    t.same(cli.content(), before, 'nothing changed')
  })
}

test('--atomic adds all rows when all are good, --dry-run none', async (t) => {
  const cli = await createCli(t)
  const rows = [
    ['username', 'password', 'remark'],
    ['alice', userPassword, 'a\u2028b'],
    ['bob', '', ''],
  ]
  const file = write(cli, rows)
  t.equal(await cli.done(['user', 'import', file, '--dry-run']), 'Would add 2 users and refuse 0 rows.\n')
  t.same(namesIn(cli), [])
  t.equal(await cli.done(['user', 'import', file, '--atomic']), 'Added 2 users, refused 0 rows.\n')
  t.match(usersIn(cli), [{ username: 'alice', remark: 'a\u2028b' }, { username: 'bob' }])
  const server = await serve(t, cli.directory)
  t.equal((await server.signIn('alice', userPassword)).status, 200)
})

test('a second import of the same file adds nobody twice', async (t) => {
  const cli = await createCli(t)
  const file = write(cli, [
    ['username', 'password'],
    ['alice', userPassword],
    ['bob', userPassword],
  ])
  await cli.done(['user', 'import', file])
  const { code, stderr } = await cli.run(['user', 'import', file])
  t.equal(code, 1)
  t.equal(stderr, 'line 2: username is already taken\nline 3: username is already taken\n')
  t.same(namesIn(cli), ['alice', 'bob'])
})

test('a file that cannot be read as a whole is refused before anybody is added', async (t) => {
  const cli = await createCli(t)
  const before = cli.content()
  const file = write(cli, 'username,password\nalice,\nbob,"hunter2\n')
  const outcome = await cli.run(['user', 'import', file, '--json'])
  expectRefusal(t, outcome, 1, /users\.csv, line 3: a quote is not closed\."\}\}\n$/)
  t.match(JSON.parse(outcome.stderr), { error: { reason: 'failed' } })
  t.notMatch(outcome.stderr, /hunter2/)
  expectRefusal(t, await cli.run('user import nowhere.csv'), 1, /^nowhere\.csv cannot be read: ENOENT/)
  expectRefusal(
    t,
    await cli.run(['user', 'import', file, '--tenant', 'X']),
    1,
    'error: tenant "X" is not a known tenant\n',
  )
  expectRefusal(t, await cli.run(['user', 'import', file, '--atomic', '--dry-run']), 2, /cannot be used with/)
  expectRefusal(t, await cli.run('user import'), 2, /missing required argument 'file'/)
  t.same(cli.content(), before)
})

test('many passwords are hashed without overfilling the queue of the hashes', async (t) => {
  const cli = await createCli(t)
  const path = join(cli.directory, 'config.json')
  const settings = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...settings, passwords: { ...settings.passwords, queueLength: 1 } }))
  const people = Array.from({ length: 30 }, (_, index) => [`user${index}`, `${userPassword} ${index}`])
  const file = write(cli, [['username', 'password'], ...people])
  const { code, stdout, stderr } = await cli.run(['user', 'import', file])
  t.equal(code, 0)
  t.equal(stdout, 'Added 30 users, refused 0 rows.\n')
  t.match(stderr, /^(Importing: \d+ of 30\n)*$/, 'nothing but the progress that is shown where it takes long')
})

test('each added user is in the audit trail, in both ways to import, and nobody of an import that was refused', async (t) => {
  const cli = await createCli(t)
  const add = (names: string[], options = '') =>
    cli.run(['user', 'import', write(cli, ['username', ...names].join('\n')), ...options.split(' ').filter(Boolean)])
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
