import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { createCli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'

const add = 'user add --username alice --password-stdin'

/** Every one of them with `--json`. */
const faults: [sentence: string, line: string, code: 1 | 2, error: object][] = [
  [
    'a refusal',
    `${add} --phone 12 --email bob`,
    1,
    {
      reason: 'invalid_request',
      message: 'The request is not valid',
      violations: [
        {
          field: 'phone',
          message:
            'must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456',
        },
        { field: 'email', message: 'must be an e-mail address' },
      ],
    },
  ],
  [
    'an unknown option',
    `${add} --rol admin`,
    2,
    { reason: 'wrong_command_line', message: "unknown option '--rol'\n(Did you mean --role?)" },
  ],
  [
    'a missing option',
    'user add',
    2,
    { reason: 'wrong_command_line', message: "required option '--username <name>' not specified" },
  ],
  [
    'a missing argument',
    'tenant add',
    2,
    { reason: 'wrong_command_line', message: "missing required argument 'name'" },
  ],
  ['half a command', 'user', 2, { reason: 'wrong_command_line' }],
  [
    'no terminal to ask at',
    'user add --username alice',
    2,
    { reason: 'wrong_command_line', message: 'without a terminal, give the password by --password-stdin' },
  ],
  ['a file that is not there', 'user import nowhere.csv', 1, { reason: 'failed', message: /nowhere\.csv/ }],
]

test('the faults of commands with --json are one JSON value on standard error', async (t) => {
  const { run, content } = await createCli(t)
  const before = content()
  for (const [sentence, line, code, error] of faults) {
    await t.test(sentence, async (t) => {
      const outcome = await run(`${line} --json`, { input: userPassword })
      t.equal(outcome.code, code)
      t.equal(outcome.stdout, '')
      t.match(outcome.stderr, /^\{.*\}\n$/, 'one line')
      t.match(JSON.parse(outcome.stderr), { error })
      t.same(Object.keys(JSON.parse(outcome.stderr) as object), ['error'])
      t.notMatch(outcome.stderr, /\bat .*\.[jt]s:\d/, 'no stack')
      t.same(content(), before, 'nothing changed')
    })
  }
})

test('without an installation, too', async (t) => {
  const { run } = await createCli(t, { installed: false })
  const outcome = await run('tenant list --json')
  t.equal(outcome.code, 1)
  t.match(JSON.parse(outcome.stderr), { error: { reason: 'failed', message: /rollcall init/ } })
})

test('an import that fails after some refused rows leaves whole JSON values on both outputs', async (t) => {
  const { run, directory } = await createCli(t)
  const file = join(directory, 'users.csv')
  // The row that is not UTF-8 lies behind what is read at first.
  const rows = Array.from({ length: 20_000 }, () => 'admin').join('\n')
  writeFileSync(file, Buffer.concat([Buffer.from(`username\n${rows}\n`), Buffer.from([0xff, 0xfe, 0x0a])]))
  const outcome = await run(['user', 'import', '--json', file])
  t.equal(outcome.code, 1)
  if (outcome.stdout !== '') t.ok(Array.isArray(JSON.parse(outcome.stdout).refusals))
  if (outcome.stderr !== '') t.ok(JSON.parse(outcome.stderr).error)
  t.ok(outcome.stdout !== '' || outcome.stderr !== '')
})

test('help with --json is help', async (t) => {
  const { run } = await createCli(t, { installed: false })
  const { code, stdout, stderr } = await run('user add --help --json')
  t.equal(code, 0)
  t.match(stdout, /^Usage/)
  t.equal(stderr, '')
})
