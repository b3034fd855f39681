import { test, type Test } from 'tap'
import { emptyDirectory, startChild } from '../../helpers/processes/child.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import { createPostgres, isPostgresThere, runSql, skipped } from '../../helpers/databases/postgres.js'
import { eventually, printedPassword, startProcess } from '../../helpers/processes/process.js'

const skip = (await isPostgresThere()) ? false : skipped
const secret = 'one-master-secret-of-many-characters'

/** What each of several machines has: a data directory of its own, and the database and the secret of all. */
const machine = (t: Test, url: string, more: Record<string, string> = {}) => ({
  directory: emptyDirectory(t),
  environment: { DATABASE_URL: url, ROLLCALL_SECRET: secret, PORT: '0', ...more },
})

for (const count of [2, 3]) {
  test(`${count} empty starts on one PostgreSQL make one administrator and one key`, { skip }, async (t) => {
    const url = await createPostgres(t)
    const servers = await Promise.all(Array.from({ length: count }, () => startProcess(t, machine(t, url))))
    const shown = servers.flatMap(
      ({ output }) => output.stdout.match(/The password of admin is in this line only/g) ?? [],
    )
    t.equal(shown.length, 1, 'one password is shown')
    const [counts] = await runSql(
      url,
      `select (select count(*) from users)::int as users, (select count(*) from signing_keys)::int as keys,
        (select count(*) from tenants)::int as tenants, (select count(*) from roles)::int as roles`,
    )
    t.strictSame(counts, { users: 1, keys: 1, tenants: 1, roles: 1 })
    const [password] = servers
      .filter(({ output }) => output.stdout.includes('First start'))
      .map(({ output }) => printedPassword(output.stdout))
    const [first] = servers
    if (!first) throw new Error('nothing was started')
    const { accessToken: token } = expectSuccess(t, await first.signIn('admin', password ?? ''))
    for (const server of servers) expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    for (const server of servers)
      t.strictSame(
        server.logLines().filter(({ level }) => level >= 40),
        [],
      )
  })
}

test('a process with another master secret says so in one line and ends', { skip }, async (t) => {
  const url = await createPostgres(t)
  const first = await startProcess(t, machine(t, url, { ROLLCALL_ADMIN_PASSWORD: adminPassword }))
  const other = machine(t, url, { ROLLCALL_SECRET: 'another-master-secret-of-many-characters' })
  const { code, stdout, stderr } = await startChild(t, 'server.js', [], other).ended
  t.equal(code, 1)
  t.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  t.match(stderr, /The master secret does not open the signing key in the database\./)
  t.notMatch(stdout, /is ready/)
  t.notMatch(stdout + stderr, /master-secret-of-many/)
  expectSuccess(t, await first.signIn('admin', adminPassword))
})

test('two processes that start with different secrets on an empty database: one serves', { skip }, async (t) => {
  const url = await createPostgres(t)
  const ended = await Promise.all(
    [secret, `other-${secret}`].map(async (own) => {
      const options = machine(t, url, { ROLLCALL_SECRET: own, ROLLCALL_ADMIN_PASSWORD: adminPassword })
      return startProcess(t, options).then(
        (server) => server,
        (error: unknown) => String(error),
      )
    }),
  )
  const refusals = ended.filter((one) => typeof one === 'string')
  t.equal(refusals.length, 1)
  t.match(refusals[0], /ended with 1: The master secret does not open/)
})

test('SIGTERM ends one process, which finishes what it has begun, while the others serve', { skip }, async (t) => {
  const url = await createPostgres(t)
  const options = { ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const one = await startProcess(t, machine(t, url, options))
  const two = await startProcess(t, machine(t, url, options))
  const { accessToken: token } = expectSuccess(t, await two.signIn('admin', adminPassword))
  const signIn = one.signIn('admin', adminPassword)
  await eventually('the request to arrive', () =>
    one.logLines().some(({ req }) => req?.path === '/auth/login') ? true : undefined,
  )
  const stopped = one.stop('SIGTERM')
  const during = await Promise.all(Array.from({ length: 20 }, () => two.call('GET', '/auth/userInfo', { token })))
  for (const answer of during) expectSuccess(t, answer)
  expectSuccess(t, await signIn)
  t.match(await stopped, { code: 0, signal: null })
  expectSuccess(t, await two.call('GET', '/auth/userInfo', { token }))
})
