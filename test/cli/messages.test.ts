import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'

const refusals: [line: string, message: string][] = [
  ['user show nobody', 'error: username "nobody" is not a known user of this tenant\n'],
  ['user add --username admin --password-stdin', 'error: username "admin" is already taken\n'],
  ['user list --tenant 9', 'error: tenant "9" is not a known tenant\n'],
  [
    'user edit admin --phone abc',
    'error: phone "abc" must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456\n',
  ],
  ['tenant enable 9', 'error: tenant "9" is not a known tenant\n'],
  ['tenant rename 1 77', 'error: name "77" must not be digits only\n'],
  ['tenant methods 1 --disable x', 'error: disable "x" must be one of password, password_captcha, passkey\n'],
  ['role grant none system:user:list', 'error: role "none" is not a known role of this tenant\n'],
  ['role assign admin none', 'error: username "none" is not a known user of this tenant\n'],
  [
    'role grant admin system:user:list x',
    'error: permissions.1 "x" must be three segments separated by colons, such as report:daily:read or report:*:*\n',
  ],
  ['session end admin 44', 'error: session "44" is not a live session of this user\n'],
  ['identity remove admin 4 --yes', 'error: identity "4" is not a linked identity of this user\n'],
  ['audit --since x', 'error: --since "x" must be an RFC 3339 date-time or a date\n'],
]

test('a message names the value that is wrong', async (t) => {
  const { run } = await createCli(t)
  for (const [line, message] of refusals) expectRefusal(t, await run(line, { input: userPassword }), 1, message)
  const outcome = await run(['user', 'show', 'a\u001b[31m\n"b'])
  t.equal(outcome.stderr, 'error: username "a\\u001b[31m\\n\\"b" is not a known user of this tenant\n')
})

test('a password that is refused is not named', async (t) => {
  const { run } = await createCli(t)
  const outcome = await run('user add --username alice --password-stdin', { input: 'tiny' })
  t.equal(outcome.code, 1)
  t.match(outcome.stderr, /^error: password must have/)
  t.notMatch(outcome.stderr, 'tiny')
})

test('a permission of the service that there is not is told with the nearest one', async (t) => {
  const { run, done } = await createCli(t)
  const rows: [permission: string, nearest: string][] = [
    ['system:user:lsit', 'system:user:list'],
    ['system:users:list', 'system:user:list'],
    ['sytem:role:edit', 'system:role:edit'],
    ['system:login-log:list', 'system:loginlog:list'],
  ]
  for (const [index, [permission, nearest]] of rows.entries()) {
    const told = `Rollcall has no permission ${permission}. Did you mean ${nearest}?\n`
    const added = await run(`role add role${index} ${permission}`)
    t.match(added, { code: 0, stderr: told })
    t.match(await run(`role grant admin ${permission}`), { code: 0, stderr: told })
    t.match(await run(`role revoke admin ${permission}`), { code: 0, stderr: told })
    t.equal((await run(`role grant admin ${permission} --json`)).stderr, '')
  }
  // However far it is, what begins with `system` is taken for one of the service.
  t.match(
    (await run('role add far system:user:remove')).stderr,
    /^Rollcall has no .* Did you mean system:user:\w+\?\n$/,
  )
  // Those of applications are theirs.
  await done('role add shop shop:order:list report:daily:read *:*:* system:*:* system:user:* *:user:list')
})
