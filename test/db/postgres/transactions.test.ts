import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { test } from 'tap'
import type { Locks } from '../../../db/locks.js'
import { isOutage } from '../../../db/outage.js'
import { readAddress } from '../../../db/postgres/address.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { PostgresDriver } from '../../../db/postgres/driver.js'
import { createPools } from '../../../db/postgres/pools.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { createTransactions } from '../../../db/postgres/transactions.js'
import { inTransaction } from '../../../db/query.js'
import { createUserRepository } from '../../../db/repositories/users.js'
import type { Tables } from '../../../db/tables.js'
import { addTenant } from '../../contract/engines.js'
import { isPostgresThere, skipped, watchQueries } from '../../helpers/databases/postgres.js'
import { startProxy } from '../../helpers/databases/tcp-proxy.js'
import { eventually } from '../../helpers/processes/process.js'
import { openMigrated } from './open-migrated.js'

const skip = (await isPostgresThere()) ? false : skipped

test('the queries that a transaction begins together are sent together', { skip }, async (t) => {
  const { url } = await openMigrated(t)
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
    const { url } = await openMigrated(t)
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
  const { url } = await openMigrated(t)
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
  const { db } = await openMigrated(t)
  const { tenant, addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  const times = { generationTime: 1, createTime: 1, lastActiveTime: 1, idleExpiry: 9, expiry: 9 }
  const rest = {
    userClient: 'pc',
    generation: 1,
    encryptedToken: null,
    deviceId: null,
    identityId: null,
    acr: 'aal1' as const,
    amr: ['pwd'],
    authTime: 0,
    factorTime: null,
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

test('two transactions that wait for each other both end well', { skip }, async (t) => {
  const { db } = await openMigrated(t)
  const { addUser } = await addTenant(db)
  const ids = [(await addUser('alice')).id, (await addUser('bob')).id]
  const both = Promise.withResolvers<undefined>()
  let arrived = 0
  let runs = 0
  const change = (order: number[]) =>
    db.transaction(async ({ users }) => {
      runs++
      await users.recordLogin(order[0] ?? 0, '192.0.2.1', 1)
      if (++arrived >= 2) both.resolve(undefined)
      await both.promise
      await users.recordLogin(order[1] ?? 0, '192.0.2.1', 1)
    }, {})
  await Promise.all([change(ids), change(ids.toReversed())])
  for (const id of ids) t.match(await db.users.find(id), { loginCount: 2 })
  // They may meet once more before the other one has gone on.
  t.ok(runs > 2, 'one of them ran again')
})

test('a transaction that adds what another has just added runs again and finds it', { skip }, async (t) => {
  const { db } = await openMigrated(t)
  const both = Promise.withResolvers<undefined>()
  let arrived = 0
  const add = () =>
    db.transaction(async ({ tenants }) => {
      const known = await tenants.findByName('Acme')
      if (++arrived >= 2) both.resolve(undefined)
      await both.promise
      return known ?? tenants.add('Acme', 1)
    }, {})
  const [one, other] = await Promise.all([add(), add()])
  t.strictSame(one, other)
})

test('fifty transactions that wait for one user leave connections to all others', { skip }, async (t) => {
  const { db } = await openMigrated(t)
  const { addUser } = await addTenant(db)
  const { id: user } = await addUser('alice')
  const inside = Promise.withResolvers<undefined>()
  const done = Promise.withResolvers<undefined>()
  const hold = async () => {
    inside.resolve(undefined)
    await done.promise
  }
  const waiting = Array.from({ length: 50 }, () => db.transaction(hold, { user }))
  await inside.promise
  t.ok(await db.users.find(user))
  t.ok(await addUser('bob'))
  done.resolve(undefined)
  await Promise.all(waiting)
})
