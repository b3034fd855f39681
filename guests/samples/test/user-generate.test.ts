import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { startChild } from '../../../test/helpers/processes/child.js'
import { createCli, expectRefusal, type Cli } from '../../../test/helpers/processes/cli.js'
import { eventually } from '../../../test/helpers/processes/process.js'
import { root } from '../../../test/helpers/processes/project.js'
import { adminPassword, userPassword } from '../../../test/helpers/service/passwords.js'
import { serve } from '../../../test/helpers/service/serve.js'

type Row = Record<string, any>

/** Everybody but the administrator of the first start. */
const generated = ({ content }: Pick<Cli, 'content'>) => (content()['users'] as Row[]).slice(1)
const shareOf = (rows: Row[], matches: (row: Row) => boolean) => rows.filter(matches).length / rows.length
const countOf = (rows: Row[], column: string) => new Set(rows.map((row) => row[column])).size

test('user generate --help explains the command and does nothing, and shells complete it', async (t) => {
  const { done, directory } = await createCli(t, { installed: false })
  const help = await done('user generate --help')
  t.ok(help.startsWith('Usage: rollcall user generate'), 'says how to call it')
  t.match(help, /--count[^]*--seed[^]*--tenants[^]*--password-stdin[^]*--json[^]*2026-01-01/)
  t.match(await done('user --help'), /^ {2}generate /m)
  t.match(
    await done('completion bash'),
    `'user generate') words='--count --seed --tenants --password-stdin --json --help'`,
  )
  t.notOk(existsSync(directory))
})

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

test('a server on the same database goes on signing in and sees them at once', async (t) => {
  const { directory, run } = await createCli(t)
  const server = await serve(t, directory)
  const signIn = async () => (await server.signIn('admin', adminPassword)).body.data.accessToken as string
  const total = async (token: string) => (await server.call('GET', '/system/user/page', { token })).body.data.total
  const generating = run('user generate --count 30000')
  await eventually('the first of them', async () => ((await total(await signIn())) > 1 ? true : undefined))
  t.match(await generating, { code: 0, stdout: 'Added 30,000 users.\n' })
  t.equal(await total(await signIn()), 30_001)
})

test('Ctrl-C keeps what has been made, says how much, and the next run adds further users', async (t) => {
  const cli = await createCli(t)
  const { directory } = cli
  const args = ['user', 'generate', '--count', '3000000', '--json']
  const { child, ended } = startChild(t, 'cli/main.js', args, { directory })
  await eventually('the first of them', () => (cli.content()['users']?.length ?? 0) > 1 || undefined)
  child.kill('SIGINT')
  child.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  t.equal(code, 130)
  t.match(stderr, /^(Users: \d+ of 3000000\n)*$/, 'nothing but how far it has come')
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
  const server = await serve(t, directory)
  const normal = generated(cli).find((row) => row['user_status'] === 1)
  t.match(await server.signIn(normal?.['username'], userPassword), {
    body: { code: 200, data: { forcePasswordChange: false } },
  })
})

const mistakes: [line: string, message: RegExp][] = [
  ['user generate', /required option '--count <number>' not specified/],
  ['user generate --cuont 3', /unknown option '--cuont'\n\(Did you mean --count\?\)/],
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
    const { run, directory } = await createCli(t, { installed: false })
    expectRefusal(t, await run(line), 2, message)
    t.notOk(existsSync(directory))
  })
}

test('the database of an earlier version is refused and stays as it is', async (t) => {
  const { run, content, directory } = await createCli(t, { installed: false })
  cpSync(join(root, 'test/fixtures/data-0.1.0'), directory, { recursive: true })
  const before = content()
  expectRefusal(t, await run('user generate --count 3'), 1, /is of an earlier version of Rollcall/)
  t.same(content(), before)
})

for (const [input, code, message] of [
  ['', 2, /standard input is empty; it must contain the password/],
  ['12345678', 1, /^error: password is a common password/],
] as const) {
  test(`nobody is made with the password "${input}"`, async (t) => {
    const cli = await createCli(t)
    expectRefusal(t, await cli.run('user generate --count 5 --password-stdin', { input }), code, message)
    t.same(generated(cli), [])
  })
}
