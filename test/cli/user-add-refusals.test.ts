import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'

const input = userPassword

const taken = 'user add --username carol --phone 13800138000 --email carol@example.com --password-stdin'
const add = 'user add --username bob --password-stdin'
const refusals: [sentence: string, line: string | string[], message: string, input?: string][] = [
  ['a name that is taken', 'user add --username carol --password-stdin', 'username "carol" is already taken'],
  [
    'a name that differs in case only',
    'user add --username CAROL --password-stdin',
    'username "CAROL" is already taken',
  ],
  ['a phone number that is taken', `${add} --phone 13800138000`, 'phone "13800138000" is already taken'],
  [
    'the same phone number written otherwise',
    `${add} --phone +8613800138000`,
    'phone "+8613800138000" is already taken',
  ],
  ['an e-mail address that is taken', `${add} --email carol@example.com`, 'email "carol@example.com" is already taken'],
  [
    'an e-mail address that differs in case only',
    `${add} --email Carol@Example.com`,
    'email "Carol@Example.com" is already taken',
  ],
  [
    'a phone number that is none',
    `${add} --phone 99`,
    'phone "99" must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456',
  ],
  ['an e-mail address that is none', `${add} --email bob`, 'email "bob" must be an e-mail address'],
  ['an unknown tenant id', `${add} --tenant 77`, 'tenant "77" is not a known tenant'],
  ['an unknown tenant name', `${add} --tenant Acme`, 'tenant "Acme" is not a known tenant'],
  ['an unknown role', `${add} --role admin --role nix`, 'role names no key of a role of this tenant: nix'],
  [
    'an empty name',
    ['user', 'add', '--username', '', '--password-stdin'],
    'username must be 1 to 64 visible characters',
  ],
  ['a short password', add, 'password must have at least 8 characters', 'ab cd'],
  ['a common password', add, 'password is a common password, please choose another', 'password1'],
  [
    'a password made of the name',
    add,
    'password must not consist of the name of the user, the tenant or the service',
    'bob-bob-bob',
  ],
]

test('user add refuses with the reason and changes nothing', async (t) => {
  const { run, done, content } = await createCli(t)
  await done(taken, { input })
  const before = content()
  for (const [sentence, line, message, password = userPassword] of refusals) {
    await t.test(sentence, async (t) => {
      const outcome = await run(line, { input: password })
      expectRefusal(t, outcome, 1, `error: ${message}\n`)
      t.notMatch(outcome.stderr, password)
      t.same(content(), before, 'nothing changed')
    })
  }
})

test('two mistakes are told at once', async (t) => {
  const { run } = await createCli(t)
  const outcome = await run(`${add} --phone 99 --email bob`, { input })
  expectRefusal(
    t,
    outcome,
    1,
    'error: phone "99" must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456\nerror: email "bob" must be an e-mail address\n',
  )
})

for (const [sentence, line, text, message] of [
  ['empty standard input', add, '', /standard input is empty; it must contain the password/],
  ['an empty line', add, '\n', /standard input is empty; it must contain the password/],
  ['no terminal and no --password-stdin', 'user add --username bob', input, /--password-stdin/],
] as const) {
  test(`user add with ${sentence} is a wrong command line`, async (t) => {
    const { run, content } = await createCli(t)
    const before = content()
    expectRefusal(t, await run(line, { input: text }), 2, message)
    t.same(content(), before)
  })
}
