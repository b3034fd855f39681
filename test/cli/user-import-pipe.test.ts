import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { namesIn, usersIn } from './users-file.js'

test('an import reads from a pipe, in all its modes, and keeps nothing of it', async (t) => {
  const cli = await createCli(t)
  const folder = t.testdir()
  const environment = { TMPDIR: folder }
  const people = (names: string[]) =>
    `username;password\r\n${names.map((name) => `${name};${userPassword}`).join('\r\n')}`
  const pipe = (names: string[], options = '') =>
    cli.done(`user import - ${options}`, { input: people(names), environment })
  t.equal(await pipe(['alice', 'bob'], '--dry-run'), 'Would add 2 users and refuse 0 rows.\n')
  t.equal(await pipe(['alice', 'bob']), 'Added 2 users, refused 0 rows.\n')
  t.equal(await pipe(['carol'], '--atomic'), 'Added 1 user, refused 0 rows.\n')
  t.same(namesIn(cli), ['alice', 'bob', 'carol'])
  const many = Array.from({ length: 5000 }, (_, index) => `person${index}`)
  t.equal(
    await cli.done('user import -', { input: ['username', ...many].join('\n'), environment }),
    'Added 5,000 users, refused 0 rows.\n',
  )
  t.same(readdirSync(folder), [])
  const { records } = await cli.json('audit --action user.import')
  t.equal(records[0].targetName, 'standard input')
})

test('what a pipe brings is refused as a file is', async (t) => {
  const cli = await createCli(t)
  const refused = await cli.run('user import -', { input: 'username,email\nadmin,nowhere\n' })
  t.equal(refused.code, 1)
  t.equal(refused.stderr, 'line 2: email must be an e-mail address; username is already taken\n')
  const open = await cli.run('user import -', { input: 'username,password\n"alice,hunter2' })
  expectRefusal(t, open, 1, 'standard input, line 2: a quote is not closed.\n')
  expectRefusal(t, await cli.run('user import -', { input: '' }), 1, /^standard input: the column username is missing/)
  expectRefusal(t, await cli.run('user import -x', { input: '' }), 2, /unknown option/)
})

test('the template of the command is filled in and imported, in both languages', async (t) => {
  const cli = await createCli(t)
  for (const [language, start] of [
    ['en', 'username,realName,'],
    ['zh', '用户名,姓名,'],
  ] as const) {
    const template = await cli.done(`user import-template --language ${language}`)
    t.ok(template.startsWith(`\ufeff${start}`), language)
    t.equal(
      await cli.done('user import -', { input: `${template}person-${language}\r\n` }),
      'Added 1 user, refused 0 rows.\n',
    )
  }
  t.same(namesIn(cli), ['person-en', 'person-zh'])
  t.match(await cli.done('user import-template'), /^\ufeffusername/)
  expectRefusal(t, await cli.run('user import-template --language fr'), 2, /Allowed choices are en, zh/)
})

test('the secret of an authenticator app may be the address of its QR code', async (t) => {
  const cli = await createCli(t)
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const address = `otpauth://totp/Old%20system:alice?secret=${secret}&issuer=Old%20system`
  const good = [
    address,
    `${address}&algorithm=SHA1&digits=6&period=30`,
    `otpauth://TOTP/a?secret=${secret.toLowerCase()}`,
  ]
  const bad = [
    'otpauth://totp/x',
    `${address}&algorithm=SHA256`,
    `${address}&digits=8`,
    `${address}&period=60`,
    `otpauth://hotp/a?secret=${secret}&counter=1`,
    'otpauth://totp/a?secret=SHORT',
    `https://example.com/?secret=${secret}`,
  ]
  const file = join(cli.directory, 'users.csv')
  const write = (texts: string[]) =>
    writeFileSync(file, ['username,totpSecret', ...texts.map((text, index) => `user${index},${text}`)].join('\n'))
  write(bad)
  const { code, stderr } = await cli.run(`user import ${file}`)
  t.equal(code, 1)
  for (const index of bad.keys()) t.match(stderr, `line ${index + 2}: totpSecret must be a base32 text of 16 to 64`)
  t.notMatch(stderr, new RegExp(`${secret}|SHORT`), 'no secret is shown')
  write(good)
  t.match(await cli.done(`user import ${file}`), /^Added 3 users, refused 0 rows\.\n3 users with an authenticator app/)
  for (const { username } of usersIn(cli)) {
    const { factors } = await cli.json(`user factors ${String(username)}`)
    t.match(factors, [{ kind: 'totp' }])
  }
})
