import { sql } from 'kysely'
import { test } from 'tap'
import { openDatabase } from '../../../db/index.js'
import { isOutage } from '../../../db/outage.js'
import { readAddress } from '../../../db/postgres/address.js'
import { createKysely } from '../../../db/postgres/dialect.js'
import { createPools } from '../../../db/postgres/pools.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { compileQuery } from '../../../db/query.js'
import { addTenant } from '../../contract/engines.js'
import { isPostgresThere, runSql, skipped } from '../../helpers/databases/postgres.js'
import { startProxy } from '../../helpers/databases/tcp-proxy.js'
import { eventually } from '../../helpers/processes/process.js'
import { openMigrated } from './open-migrated.js'

const skip = (await isPostgresThere()) ? false : skipped

test('the time limit of a statement begins when the server begins with it', { skip }, async (t) => {
  const { url } = await openMigrated(t)
  const { requests } = createPools(readAddress(url))
  const limit = 1500
  const db = createKysely(requests, createStatementNames(), limit)
  t.teardown(() => db.destroy())
  const sleep = compileQuery((db, { seconds }: { seconds: number }) =>
    db.selectNoFrom(sql`pg_sleep(${seconds}::float8)`.as('slept')),
  )
  const together = (...times: number[]) =>
    db
      .transaction()
      .execute((transaction) => Promise.all(times.map(async (seconds) => sleep(transaction, { seconds }))))
  t.equal((await together(0.6, 0.6, 0.6)).length, 3)
  await t.rejects(together(0.1, 30), { message: /has not answered in time/ })
})

test('a connection on which the server does not answer in time is closed', { skip }, async (t) => {
  const { url } = await openMigrated(t)
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

test('lost connections are an outage, and the next query has a new one', { skip }, async (t) => {
  const { url, db } = await openMigrated(t)
  const { addUser } = await addTenant(db)
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  const outage = await db
    .transaction(async ({ users }) => {
      await users.highestId()
      await runSql(url, cut)
      await addUser('not-added').catch(() => undefined)
      return users.highestId()
    }, {})
    .catch((error: unknown) => error)
  t.ok(isOutage(outage), String(outage))
  t.ok(await addUser('alice'))
  t.equal((await db.users.highestId()) > 0, true)
})

test('a statement that takes too long is an outage', { skip }, async (t) => {
  const { url, db } = await openMigrated(t)
  const other = await openDatabase(url, '/')
  t.teardown(() => other.close())
  const inside = Promise.withResolvers<undefined>()
  const done = Promise.withResolvers<undefined>()
  const holder = db.transaction(async () => {
    inside.resolve(undefined)
    await done.promise
  })
  await inside.promise
  // It waits for the lock of the other process.
  const error = await other.transaction(async () => undefined).catch((fault: unknown) => fault)
  t.match(error, { code: '57014' })
  t.ok(isOutage(error))
  done.resolve(undefined)
  await holder
  await other.transaction(async () => undefined)
})
