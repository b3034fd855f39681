import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'tap'
import { openDatabase, OpenError } from '../../../db/index.js'
import { installedDirectory } from '../../helpers/processes/child.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword } from '../../helpers/service/passwords.js'
import {
  forgetful,
  skipped as withoutPgBouncer,
  skippedBefore121,
  startPgBouncer,
} from '../../helpers/databases/pgbouncer.js'
import { createPostgres, isPostgresThere, runSql, skipped, urlOf } from '../../helpers/databases/postgres.js'
import { startProcess } from '../../helpers/processes/process.js'
import { createRole, expectRefused } from '../../helpers/databases/roles.js'

const skip = (await isPostgresThere()) ? false : skipped

test('a role that may not create tables is told what to grant, and with it the service starts', { skip }, async (t) => {
  const url = await createPostgres(t)
  const own = await createRole(t, url)
  const grant = `grant create on schema public to ${own.username}`
  await expectRefused(
    t,
    own.href,
    new RegExp(`the role ${own.username} may not create tables in the schema public: run \`${grant}\` as the owner`),
  )
  await runSql(url, grant)
  const directory = await installedDirectory(t)
  const environment = { DATABASE_URL: own.href, ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const server = await startProcess(t, { directory, environment })
  expectSuccess(t, await server.signIn('admin', adminPassword))
  await server.stop()
})

test('a search_path without a schema that exists is refused, and one with it is used', { skip }, async (t) => {
  const url = await createPostgres(t)
  const own = await createRole(t, url)
  const { username: role } = own
  await runSql(url, `alter role ${role} set search_path = app`)
  await expectRefused(
    t,
    own.href,
    new RegExp(`its search_path \\(app\\) names no schema that exists and that the role ${role}`),
  )
  await runSql(url, `create schema app authorization ${role}`)
  const directory = await installedDirectory(t)
  const environment = { DATABASE_URL: own.href, ROLLCALL_ADMIN_PASSWORD: adminPassword }
  const server = await startProcess(t, { directory, environment })
  expectSuccess(t, await server.signIn('admin', adminPassword))
  await server.stop()
})

const ignored = { ignore_startup_parameters: 'options,statement_timeout,idle_in_transaction_session_timeout' }

test('a PgBouncer that forgets prepared statements is refused', { skip: skip || withoutPgBouncer }, async (t) => {
  const url = await createPostgres(t)
  for (const size of [1, 20]) {
    const through = await startPgBouncer(t, url, {
      ...ignored,
      ...forgetful,
      pool_mode: 'transaction',
      default_pool_size: size,
    })
    const message =
      /a pooler in between does not keep prepared statements: use session mode, or PgBouncer 1\.21 or newer with max_prepared_statements/
    await expectRefused(t, through, message)
  }
})

test(
  'a PgBouncer that takes no parameters is refused with the setting that it needs',
  { skip: skip || withoutPgBouncer },
  async (t) => {
    const url = await createPostgres(t)
    const through = await startPgBouncer(t, url, { pool_mode: 'session' })
    await expectRefused(
      t,
      through,
      /unsupported startup parameter: \w+: .* \(PgBouncer: ignore_startup_parameters = options, /,
    )
  },
)

const accepted: [mode: string, settings: Record<string, string | number>, skipped: string | false][] = [
  ['session mode', { pool_mode: 'session', default_pool_size: 30 }, withoutPgBouncer],
  [
    'transaction mode that keeps prepared statements',
    { pool_mode: 'transaction', default_pool_size: 5, max_prepared_statements: 200 },
    skippedBefore121,
  ],
]
for (const [mode, settings, skippedHere] of accepted)
  test(`a PgBouncer in ${mode} is accepted and serves`, { skip: skip || skippedHere }, async (t) => {
    const through = await startPgBouncer(t, await createPostgres(t), { ...ignored, ...settings })
    const directory = await installedDirectory(t)
    const environment = { DATABASE_URL: through, ROLLCALL_ADMIN_PASSWORD: adminPassword }
    const server = await startProcess(t, { directory, environment })
    const { accessToken: token } = expectSuccess(t, await server.signIn('admin', adminPassword))
    const ask = async (index: number) =>
      expectSuccess(t, await server.call('GET', `/system/user/page?pageSize=${index + 1}`, { token }))
    await Promise.all(Array.from({ length: 40 }, (_item, index) => ask(index)))
    await server.stop()
  })

test('a database that is not there is refused without the password of its URL', { skip }, async (t) => {
  const url = new URL(urlOf('rollcall_test_none'))
  url.password = 'a-secret'
  const error = await openDatabase(url.href, '/').catch((fault: unknown) => fault)
  t.type(error, OpenError)
  t.match(String(error), /rollcall_test_none/)
  t.notMatch(JSON.stringify([String(error), (error as Error).stack]), 'a-secret')
})

test('a server that does not answer is refused within seconds', async (t) => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const { port } = silent.address() as { port: number }
  await t.rejects(openDatabase(`postgres://u:a-secret@127.0.0.1:${port}/d`, '/'), {
    message: /^The database postgres:\/\/127\.0\.0\.1:\d+\/d cannot be opened: PostgreSQL does not answer/,
  })
})

for (const size of ['0', '1.5', 'many', '201']) {
  test(`a pool of ${size} connections is refused`, async (t) => {
    await t.rejects(openDatabase(`postgres://u@127.0.0.1:1/d?pool_max_conns=${size}`, '/'), {
      message: /pool_max_conns must be a whole number from 1 to 200/,
    })
  })
}

test('a database with another encoding is refused', { skip }, async (t) => {
  const url = await createPostgres(t, "template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'")
  await t.rejects(openDatabase(url, '/'), { message: /its encoding is SQL_ASCII, and must be UTF8/ })
})

test('a server that only speaks the protocol of PostgreSQL is refused', { skip }, async (t) => {
  const url = await createPostgres(t)
  // As YugabyteDB answers.
  await runSql(
    url,
    `create function version() returns text language sql as $$select 'PostgreSQL 15.2-YB-2.21.0.0-b0'$$`,
  )
  const { pathname } = new URL(url)
  await runSql(url, `alter database "${pathname.slice(1)}" set search_path = public, pg_catalog`)
  await t.rejects(openDatabase(url, '/'), { message: /it is not PostgreSQL itself/ })
})
