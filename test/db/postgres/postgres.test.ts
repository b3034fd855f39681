import { once } from 'node:events'
import { createServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { test, type Test } from 'tap'
import { openDatabase, OpenError } from '../../../db/index.js'
import { isOutage } from '../../../db/outage.js'
import { InvalidTextError } from '../../../db/errors.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { readAddress } from '../../../db/postgres/address.js'
import { createPools } from '../../../db/postgres/pools.js'
import { PostgresDriver } from '../../../db/postgres/driver.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { createTransactions } from '../../../db/postgres/transactions.js'
import type { Locks } from '../../../db/locks.js'
import type { Tables } from '../../../db/tables.js'
import { compileQuery, inTransaction } from '../../../db/query.js'
import { createUserRepository } from '../../../db/repositories/users.js'
import {
  createPool,
  createPostgres,
  isPostgresThere,
  runSql,
  skipped,
  urlOf,
  watchQueries,
} from '../../helpers/databases/postgres.js'
import { eventually } from '../../helpers/processes/process.js'
import { startProxy } from '../../helpers/databases/tcp-proxy.js'
import { addTenant } from '../../contract/engines.js'

const skip = (await isPostgresThere()) ? false : skipped

const open = async (t: Test) => {
  const url = await createPostgres(t)
  const db = await openDatabase(url, '/')
  t.teardown(() => db.close())
  await db.migrate()
  return { url, db }
}

/** A promise and the function that resolves it. */
const signal = () => {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

test('a text with a NUL character is refused before the server sees it', { skip }, async (t) => {
  const { db } = await open(t)
  const error = await db.tenants.add('a\0b', 1).catch((fault: unknown) => fault)
  t.type(error, InvalidTextError)
  t.notOk(isOutage(error), 'the caller is at fault')
  t.strictSame(await db.tenants.list(), [])
})

test('the queries that a transaction begins together are sent together', { skip }, async (t) => {
  const { url } = await open(t)
  const { requests } = createPools(readAddress(url))
  let sent = 0
  watchQueries(requests, () => sent++)
  const db = createKysely(requests, createStatementNames())
  t.teardown(() => db.destroy())
  await inTransaction(db, async (transaction) => {
    const users = createUserRepository(transaction)
    const before = sent
    const both = [users.findByUsername(1, 'alice'), users.findByEmail(1, 'alice@example.com')]
    t.equal(sent, before + 2, 'before the server has answered one of them')
    t.strictSame(await Promise.all(both), [undefined, undefined])
  })
})

test(
  'locks and reads are sent with the beginning of a transaction; writes wait for its answer',
  { skip },
  async (t) => {
    const { url } = await open(t)
    const { port } = new URL(url)
    const proxy = await startProxy(t, Number(port))
    const { requests } = createPools(readAddress(url.replace(`:${port}/`, `:${proxy.port}/`)))
    const sent: string[] = []
    watchQueries(requests, (text) => sent.push(text.split(' ')[0] ?? ''))
    const db = createKysely(requests, createStatementNames())
    t.teardown(() => db.destroy())
    const inTransactionWithLocks = createTransactions(db)
    /** What is sent while the server answers nothing. */
    const sentWithoutAnswers = async (work: Parameters<typeof inTransactionWithLocks>[0], locks: Locks) => {
      await sql`select 1`.execute(db)
      sent.length = 0
      proxy.set('hang')
      const outcome = inTransactionWithLocks(work, locks).catch((error: unknown) => error)
      await eventually('the beginning to be sent', () => (sent.includes('begin') ? true : undefined))
      // What would be sent without an answer has been sent by now.
      await setImmediate()
      const texts = [...sent]
      proxy.set('pass')
      proxy.cut()
      t.ok(isOutage(await outcome))
      return texts
    }
    const read = (transaction: Kysely<Tables>) => createUserRepository(transaction).findByUsername(1, 'alice')
    const write = (transaction: Kysely<Tables>) => createUserRepository(transaction).recordLogin(1, '', 1)
    const both = (...queries: ((transaction: Kysely<Tables>) => Promise<unknown>)[]) =>
      sentWithoutAnswers((transaction) => Promise.all(queries.map((query) => query(transaction))), {})
    t.strictSame(await sentWithoutAnswers(read, { tenant: 1, user: 1 }), ['begin', 'select', 'select'])
    t.strictSame(await both(read, write), ['begin', 'select'])
    t.strictSame(await both(write, read), ['begin'], 'the read would not see the write')
  },
)

test('nothing is written after a beginning that the server refuses', { skip }, async (t) => {
  const { url } = await open(t)
  const { requests } = createPools(readAddress(url))
  const driver = new PostgresDriver(requests, createStatementNames(), undefined)
  const db = createKysely(requests, createStatementNames())
  t.teardown(() => db.destroy())
  const connection = await driver.acquireConnection()
  await driver.beginTransaction(connection, { isolationLevel: 'no level' as 'serializable' })
  const tenant = { tenant_name: 'North', tenant_name_key: 'north', create_time: 1, update_time: 1, enabled: 1 as const }
  const write = connection.executeQuery(db.insertInto('tenants').values(tenant).compile())
  await t.rejects(write, { code: '42601' })
  await t.rejects(driver.commitTransaction(connection), { code: '42601' })
  await driver.rollbackTransaction(connection)
  await driver.releaseConnection(connection)
  t.strictSame(await db.selectFrom('tenants').selectAll().execute(), [])
})

test('of several queries the first that fails tells why, not those after it', { skip }, async (t) => {
  const { db } = await open(t)
  const { tenant, addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  const times = { generationTime: 1, createTime: 1, lastActiveTime: 1, idleExpiry: 9, expiry: 9 }
  const rest = {
    userClient: 'pc',
    generation: 1,
    encryptedToken: null,
    deviceId: null,
    identityId: null,
    loginIp: '',
    userAgent: '',
  }
  const session = { id: 'one', userId: id, tenantId: tenant.id, ...times, ...rest }
  await db.sessions.add(session)
  for (let count = 0; count < 20; count++) {
    const failed = db.transaction(
      ({ sessions, users }) => Promise.all([sessions.add(session), users.recordLogin(id, '', 1)]),
      { user: id },
    )
    await t.rejects(failed, { code: '23505' })
  }
  t.equal((await db.users.find(id))?.loginCount, 0)
})

test('the time limit of a statement begins when the server begins with it', { skip }, async (t) => {
  const { url } = await open(t)
  const { requests } = createPools(readAddress(url))
  const limit = 1500
  const db = createKysely(requests, createStatementNames(), limit)
  t.teardown(() => db.destroy())
  const sleep = compileQuery((db, { seconds }: { seconds: number }) =>
    db.selectNoFrom(sql`pg_sleep(${seconds}::float8)`.as('slept')),
  )
  const together = (...times: number[]) =>
    inTransaction(db, (transaction) => Promise.all(times.map(async (seconds) => sleep(transaction, { seconds }))))
  t.equal((await together(0.6, 0.6, 0.6)).length, 3)
  await t.rejects(together(0.1, 30), { message: /has not answered in time/ })
})

test('a connection on which the server does not answer in time is closed', { skip }, async (t) => {
  const { url } = await open(t)
  const { port } = new URL(url)
  const proxy = await startProxy(t, Number(port))
  const { requests } = createPools(readAddress(url.replace(`:${port}/`, `:${proxy.port}/`)))
  const db = createKysely(requests, createStatementNames(), 100)
  t.teardown(() => db.destroy())
  await sql`select 1`.execute(db)
  t.equal(proxy.open(), 1)
  proxy.set('hang')
  const error = await sql`select 1`.execute(db).catch((fault: unknown) => fault)
  t.ok(error instanceof Error && isOutage(error))
  await eventually('the connection to be closed', () => (proxy.open() === 0 ? true : undefined))
})

test('two transactions that wait for each other both end well', { skip }, async (t) => {
  const { db } = await open(t)
  const { addUser } = await addTenant(db)
  const ids = [(await addUser('alice')).id, (await addUser('bob')).id]
  const both = signal()
  let arrived = 0
  let runs = 0
  const change = (order: number[]) =>
    db.transaction(async ({ users }) => {
      runs++
      await users.recordLogin(order[0] ?? 0, '192.0.2.1', 1)
      if (++arrived >= 2) both.resolve()
      await both.promise
      await users.recordLogin(order[1] ?? 0, '192.0.2.1', 1)
    }, {})
  await Promise.all([change(ids), change(ids.toReversed())])
  for (const id of ids) t.match(await db.users.find(id), { loginCount: 2 })
  // They may meet once more before the other one has gone on.
  t.ok(runs > 2, 'one of them ran again')
})

test('a transaction that adds what another has just added runs again and finds it', { skip }, async (t) => {
  const { db } = await open(t)
  const both = signal()
  let arrived = 0
  const add = () =>
    db.transaction(async ({ tenants }) => {
      const known = await tenants.findByName('Acme')
      if (++arrived >= 2) both.resolve()
      await both.promise
      return known ?? tenants.add('Acme', 1)
    }, {})
  const [one, other] = await Promise.all([add(), add()])
  t.strictSame(one, other)
})

test('a statement that was prepared before a migration elsewhere still runs', { skip }, async (t) => {
  const { url, db } = await open(t)
  const { tenant, addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  const find = () => db.users.find(id)
  for (let round = 0; round < 20; round++) await find()
  await runSql(url, 'alter table users add column further text')
  t.match(await find(), { username: 'alice', tenantId: tenant.id })
  await runSql(url, 'alter table users add column even_further text')
  t.match(await db.transaction(({ users }) => users.find(id)), { username: 'alice' })
})

test('frequent statements are prepared by name, and those of migrations are not', { skip }, async (t) => {
  const { url } = await open(t)
  const pool = createPool(url)
  const db = createKysely(pool, createStatementNames())
  t.teardown(() => db.destroy())
  const users = createUserRepository(db)
  for (let round = 0; round < 3; round++) await users.find(round)
  await sql`select 1`.execute(db)
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  t.strictSame(
    rows.map(({ statement }) => statement),
    ['select * from "users" where "id" = $1'],
  )
})

test('lost connections are an outage, and the next query has a new one', { skip }, async (t) => {
  const { url, db } = await open(t)
  const { addUser } = await addTenant(db)
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  const outage = await db
    .transaction(async ({ users }) => {
      await users.highestId()
      await runSql(url, cut)
      await addUser('not added').catch(() => undefined)
      return users.highestId()
    }, {})
    .catch((error: unknown) => error)
  t.ok(isOutage(outage), String(outage))
  t.ok(await addUser('alice'))
  t.equal((await db.users.highestId()) > 0, true)
})

test('a statement that takes too long is an outage', { skip }, async (t) => {
  const { url, db } = await open(t)
  const other = await openDatabase(url, '/')
  t.teardown(() => other.close())
  const inside = signal()
  const done = signal()
  const holder = db.transaction(async () => {
    inside.resolve()
    await done.promise
  })
  await inside.promise
  // It waits for the lock of the other process.
  const error = await other.transaction(async () => undefined).catch((fault: unknown) => fault)
  t.match(error, { code: '57014' })
  t.ok(isOutage(error))
  done.resolve()
  await holder
  await other.transaction(async () => undefined)
})

test('fifty transactions that wait for one user leave connections to all others', { skip }, async (t) => {
  const { db } = await open(t)
  const { addUser } = await addTenant(db)
  const { id: user } = await addUser('alice')
  const inside = signal()
  const done = signal()
  const hold = async () => {
    inside.resolve()
    await done.promise
  }
  const waiting = Array.from({ length: 50 }, () => db.transaction(hold, { user }))
  await inside.promise
  t.ok(await db.users.find(user))
  t.ok(await addUser('bob'))
  done.resolve()
  await Promise.all(waiting)
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
