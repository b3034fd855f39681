import { readFileSync, writeFileSync } from 'node:fs'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { test } from 'tap'
import { fold } from '../../db/fold.js'
import { readPhone } from '../../plugins/accounts/contacts.js'
import { startChild } from '../helpers/child.js'
import { createCli, expectRefusal, type Cli } from '../helpers/cli.js'
import { eventually, startProcess } from '../helpers/process.js'
import { adminPassword, userPassword } from '../helpers/server.js'

type Row = Record<string, any>

/** Everybody but the administrator of the first start. */
const generated = ({ content }: Pick<Cli, 'content'>) => (content()['users'] as Row[]).slice(1)
const shareOf = (rows: Row[], matches: (row: Row) => boolean) => rows.filter(matches).length / rows.length
const countOf = (rows: Row[], column: string) => new Set(rows.map((row) => row[column])).size

test('user generate adds as many users as asked for and says so', async (t) => {
  const cli = await createCli(t)
  t.equal(await cli.done('user generate --count 3'), 'Added 3 users.\n')
  t.equal(await cli.done('user generate --count 1'), 'Added 1 user.\n')
  t.same(await cli.json('user generate --count 2'), { added: 2, interrupted: false })
  t.equal(generated(cli).length, 6)
})

test('the same seed fills an empty database with the same users, another seed with others', async (t) => {
  const [one, two, other] = [await createCli(t), await createCli(t), await createCli(t)]
  await one.done('user generate --count 300 --seed spring')
  await two.done('user generate --count 300 --seed spring')
  await other.done('user generate --count 300 --seed autumn')
  t.same(generated(one), generated(two))
  t.same(one.content()['user_roles'], two.content()['user_roles'])
  const names = new Set(generated(one).map(({ username }) => username as string))
  t.ok(shareOf(generated(other), ({ username }) => names.has(username)) < 0.05)
})

test('a second run adds further users of other names', async (t) => {
  const cli = await createCli(t)
  for (const seed of ['spring', 'spring', 'autumn']) await cli.done(`user generate --count 200 --seed ${seed}`)
  const users = generated(cli)
  t.equal(users.length, 600)
  t.equal(countOf(users, 'username_key'), 600)
})

test('whoever has a generated name already keeps it, and the count is reached all the same', async (t) => {
  const [cli, other] = [await createCli(t), await createCli(t)]
  await other.done('user generate --count 5 --seed spring')
  const third = generated(other)[2]
  const [name, tenant] = [String(third?.['username']), String(third?.['tenant_id'])]
  await cli.done('user generate --count 1 --seed spring')
  await cli.done(['user', 'add', '--username', name, '--tenant', tenant, '--password-stdin'], { input: userPassword })
  t.equal(await cli.done('user generate --count 50 --seed spring'), 'Added 50 users.\n')
  const holders = generated(cli).filter(({ username }) => username === name)
  t.match(holders, [{ username: name, user_status: 1 }])
  t.equal(holders.length, 1)
})

test('generated users could be real', async (t) => {
  const cli = await createCli(t)
  await cli.done('user generate --count 3000 --tenants 4')
  const users = generated(cli)
  const rows: [sentence: string, from: number, to: number, matches: (row: Row) => boolean][] = [
    ['has a Chinese name', 0.6, 0.8, (row) => /^\p{Script=Han}{2,4}$/u.test(row['real_name'])],
    ['has a Latin name', 0.2, 0.4, (row) => /^\p{Script=Latin}/u.test(row['real_name'])],
    ['is a Wang', 0.03, 0.09, (row) => row['real_name'].startsWith('王')],
    ['has a long surname', 0.0001, 0.01, (row) => row['real_name'].startsWith('欧阳')],
    ['is an ordinary user', 0.98, 0.9999, (row) => row['user_type'] === 2],
    ['is a system administrator', 0, 0, (row) => row['user_type'] === 0],
    ['is normal', 0.9, 0.98, (row) => row['user_status'] === 1],
    ['is disabled', 0.01, 0.08, (row) => row['user_status'] === 0],
    ['is locked', 0.005, 0.04, (row) => row['user_status'] === 2],
    ['is a man', 0.4, 0.55, (row) => row['gender'] === 1],
    ['is a woman', 0.38, 0.5, (row) => row['gender'] === 2],
    ['has a phone', 0.88, 0.96, (row) => row['phone'] !== null],
    ['has an e-mail address', 0.75, 0.85, (row) => row['email'] !== null],
    ['has signed in', 0.6, 0.8, (row) => row['last_login_time'] !== null],
    [
      'has signed in without an address or a count',
      0,
      0,
      (row) => {
        const signs = [row['last_login_time'] !== null, row['last_login_ip'] !== null, row['login_count'] > 0]
        return signs.some((sign) => sign !== signs[0])
      },
    ],
    [
      'was used or changed before it was made',
      0,
      0,
      (row) => row['update_time'] < row['create_time'] || (row['last_login_time'] ?? Infinity) < row['create_time'],
    ],
    [
      'has a time after 2026 began',
      0,
      0,
      (row) => Math.max(row['create_time'], row['update_time'], row['last_login_time'] ?? 0) >= Date.UTC(2026, 0),
    ],
    ['was made in the last of eight years', 0.15, 0.35, (row) => row['create_time'] > Date.UTC(2025, 0)],
    ['was made in the first four', 0.15, 0.35, (row) => row['create_time'] < Date.UTC(2022, 0)],
    ['has a password', 0, 0, (row) => row['password_hash'] !== null],
    ['is in the first tenant', 0.4, 0.6, (row) => row['tenant_id'] === 1],
    ['is in the fourth', 0.05, 0.2, (row) => row['tenant_id'] === 4],
    ['is in a fifth', 0, 0, (row) => row['tenant_id'] > 4],
  ]
  for (const [sentence, from, to, matches] of rows) {
    const share = shareOf(users, matches)
    t.ok(share >= from && share <= to, `who ${sentence}: ${share}`)
  }
  t.ok(countOf(users, 'real_name') > 1500, 'many names')
  t.equal((cli.content()['tenants'] as Row[]).length, 4)
  const roleUsers = new Set((cli.content()['user_roles'] as Row[]).map((row) => row['user_id']))
  t.ok(shareOf(users, ({ id }) => roleUsers.has(id)) > 0.2, 'some have roles')
})

for (const region of ['CN', 'US', 'DE', 'TO']) {
  test(`phone numbers are valid in ${region}, stored as an account stores them, and nobody shares one`, async (t) => {
    const cli = await createCli(t)
    const file = `${cli.directory}/config.json`
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), phoneRegion: region }))
    await cli.done('user generate --count 400 --tenants 1')
    const users = generated(cli).filter(({ phone }) => phone !== null)
    t.ok(users.length > 300)
    t.equal(countOf(users, 'phone_key'), users.length)
    for (const { phone, phone_key: key } of users) {
      const number = parsePhoneNumberFromString(phone, region as 'CN')
      if (!number?.isValid() || number.country !== region) t.fail(`${phone} is not valid`)
      const stored = readPhone(phone, region)
      if (stored?.key !== key || stored?.display !== phone) t.fail(`${phone} is stored as ${key}`)
    }
  })
}

test('names are stored as accounts store them', async (t) => {
  const cli = await createCli(t)
  await cli.done('user generate --count 500')
  const users = generated(cli)
  t.equal(users.length, 500)
  for (const column of ['username', 'real_name', 'email']) {
    const folded = users.map((row) => (row[column] === null ? null : fold(String(row[column]))))
    t.same(
      users.map((row) => row[`${column}_key`] as unknown),
      folded,
      column,
    )
  }
})

test('a server on the same database goes on signing in and sees them at once', async (t) => {
  const { directory, run } = await createCli(t)
  const server = await startProcess(t, { directory })
  const signIn = async () => (await server.signIn('admin', adminPassword)).body.data.accessToken as string
  const total = async (token: string) => (await server.call('GET', '/system/user/page', { token })).body.data.total
  const generating = run('user generate --count 30000')
  await eventually('the first of them', async () => ((await total(await signIn())) > 1 ? true : undefined))
  t.match(await generating, { code: 0, stdout: 'Added 30000 users.\n' })
  t.equal(await total(await signIn()), 30_001)
})

test('Ctrl-C keeps what has been made, says how much, and the next run adds further users', async (t) => {
  const cli = await createCli(t)
  const { directory } = cli
  const args = ['user', 'generate', '--count', '3000000', '--json']
  const { child, ended } = await startChild(t, 'cli/main.js', args, { directory })
  await eventually('the first of them', () => (cli.content()['users']?.length ?? 0) > 1 || undefined)
  child.kill('SIGINT')
  child.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  t.equal(code, 130)
  t.equal(stderr, '')
  const { added, interrupted } = JSON.parse(stdout) as { added: number; interrupted: boolean }
  t.equal(interrupted, true)
  t.equal(generated(cli).length, added)
  await cli.done('user generate --count 10')
  t.equal(generated(cli).length, added + 10)
})

test('with --password-stdin all of them sign in with that password', async (t) => {
  const cli = await createCli(t)
  const { directory } = cli
  await cli.done('user generate --count 20 --tenants 1 --password-stdin', { input: userPassword })
  t.equal(countOf(generated(cli), 'password_hash'), 1)
  t.notMatch(JSON.stringify(cli.content()), userPassword)
  const server = await startProcess(t, { directory })
  const normal = generated(cli).find((row) => row['user_status'] === 1)
  t.match(await server.signIn(normal?.['username'], userPassword), {
    body: { code: 200, data: { forcePasswordChange: false } },
  })
})

const mistakes: [line: string, message: RegExp][] = [
  ['user generate', /required option '--count <number>' not specified/],
  ['user generate --count 0', /'--count <number>' argument '0' is invalid. It must be a number from 1 to 10000000/],
  ['user generate --count -5', /argument '-5' is invalid/],
  ['user generate --count many', /argument 'many' is invalid/],
  ['user generate --count 1.5', /argument '1.5' is invalid/],
  ['user generate --count 10000001', /It must be a number from 1 to 10000000/],
  ['user generate --count 5 --tenants 0', /'--tenants <number>' argument '0' is invalid/],
  ['user generate --count 5 --password secret', /unknown option '--password'/],
]
for (const [line, message] of mistakes) {
  test(`${line} is a wrong command line`, async (t) => {
    const { run } = await createCli(t, { installed: false })
    expectRefusal(t, await run(line), 2, message)
  })
}

for (const [input, code, message] of [
  ['', 2, /standard input held no password/],
  ['12345678', 1, /^error: password is a common password/],
] as const) {
  test(`nobody is made with the password "${input}"`, async (t) => {
    const cli = await createCli(t)
    expectRefusal(t, await cli.run('user generate --count 5 --password-stdin', { input }), code, message)
    t.same(generated(cli), [])
  })
}
