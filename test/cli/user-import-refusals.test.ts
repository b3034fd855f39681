import { test } from 'tap'
import { createCli, expectRefusal, type Cli } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { namesIn, writeUsers } from './users-file.js'

const someHash = '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'

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
  [{ username: 'x\u0007' }, 'username must be 1 to 64 visible characters'],
  [{ username: 'ADMIN' }, 'username is already taken'],
  [
    { username: 'x1', phone: '12' },
    'phone must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456',
  ],
  [{ username: 'x2', phone: '0086 138 0013 8000' }, 'phone is the same as in line 2'],
  [{ username: 'x3', email: 'Good@Example.COM' }, 'email is the same as in line 2'],
  [{ username: 'x4', email: 'x' }, 'email must be an e-mail address'],
  [{ username: 'x5', roles: 'admin|nix' }, 'roles names no key of a role of this tenant: nix'],
  [
    { username: 'x6', userType: '4' },
    'userType must be one of 0, 1, 2, 3, System administrator, Tenant administrator, User, Service account',
  ],
  [{ username: 'x7', gender: '__proto__' }, 'gender must be one of 0, 1, 2, Unknown, Male, Female'],
  [{ username: 'x8', tenant: 'Nowhere' }, 'tenant is not a known tenant'],
  [{ username: 'x9', password: 'short' }, 'password must have at least 8 characters'],
  [{ username: 'x10', password: 'password1' }, 'password is a common password, please choose another'],
  [
    { username: 'x11', password: secret, passwordHash: someHash },
    'passwordHash must not be given together with a password',
  ],
  [
    { username: 'x12', passwordHash: secret },
    'passwordHash must be a bcrypt or argon2id hash whose cost is within the limits',
  ],
  [
    { username: 'x13', passwordHash: someHash.replace('$10$', '$31$') },
    'passwordHash must be a bcrypt or argon2id hash whose cost is within the limits',
  ],
  [{ username: 'x14', password: someHash }, 'password looks like a hash: put it into passwordHash instead'],
  [
    { username: 'x15', password: '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$aGFzaA' },
    'password looks like a hash: put it into passwordHash instead',
  ],
  [{ username: 'x16', remark: 'a\0b' }, 'remark must not contain a NUL character'],
  [{ username: 'x17', remark: '长'.repeat(501) }, 'remark must have at most 500 characters'],
  [
    { username: 'good', phone: '12' },
    'phone must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456; username is the same as in line 2',
  ],
  [
    { username: 'GOOD', phone: '13800138000', email: 'good@example.com' },
    'username is the same as in line 2; phone is the same as in line 2; email is the same as in line 2',
  ],
]
const mixedFile = (cli: Cli) => {
  const good = { username: 'good', phone: '13800138000', email: 'good@example.com', remark: 'two\nlines' }
  const rows: Record<string, string>[] = [good, ...badRows.map(([row]) => row), { username: 'last' }]
  return writeUsers(cli, [
    header,
    ...rows.map((row) => header.map((name) => row[name] ?? '')),
    ['long', ...header.slice(1).map(() => ''), 'more'],
  ])
}
/** Good is on the lines 2 and 3. */
const expectedLines = [
  ...badRows.map(([, message], index) => `line ${index + 4}: ${message}`),
  `line ${badRows.length + 5}: row must have no more than ${header.length} fields, like the first line`,
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

test('a second import of the same file adds nobody twice', async (t) => {
  const cli = await createCli(t)
  const file = writeUsers(cli, [
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
  const file = writeUsers(cli, 'username,password\nalice,\nbob,"hunter2\n')
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
