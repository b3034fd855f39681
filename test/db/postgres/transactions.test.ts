import { sql } from 'kysely'
import { test, type Test } from 'tap'
import { readAddress } from '../../../db/postgres/address.js'
import { createKysely, createRunInTransaction } from '../../../db/postgres/dialect.js'
import { createPools } from '../../../db/postgres/pools.js'
import { createStatementNames } from '../../../db/postgres/statement-names.js'
import { addTenant } from '../../contract/engines.js'
import { isPostgresThere, skipped } from '../../helpers/databases/postgres.js'
import { openMigrated } from './open-migrated.js'

const skip = (await isPostgresThere()) ? false : skipped

const north = { tenant_name: 'North', tenant_name_key: 'north', create_time: 1, update_time: 1, enabled: 1 as const }

const open = async (t: Test) => {
  const { url } = await openMigrated(t)
  const { requests } = createPools(readAddress(url))
  const names = createStatementNames()
  const db = createKysely(requests, names)
  t.teardown(() => db.destroy())
  return {
    run: createRunInTransaction(requests, names, db),
    stored: () => db.selectFrom('tenants').selectAll().execute(),
  }
}

test('nothing is written after a beginning that the server refuses', { skip }, async (t) => {
  const { run, stored } = await open(t)
  const written = run((transaction) => transaction.insertInto('tenants').values(north).execute(), {
    isolationLevel: 'serializable and more' as 'serializable',
  })
  await t.rejects(written, { message: /syntax error/ })
  t.strictSame(await stored(), [])
})

test('a commit that the server answers with a rollback is a failure', { skip }, async (t) => {
  const { run, stored } = await open(t)
  const written = run(async (transaction) => {
    await transaction.insertInto('tenants').values(north).execute()
    // The code goes on as if nothing had happened.
    await sql`select 1 / 0`.execute(transaction).catch(() => undefined)
  })
  await t.rejects(written, { message: 'PostgreSQL has rolled back the transaction' })
  t.strictSame(await stored(), [])
})

test('nothing is run in a transaction that is over', { skip }, async (t) => {
  const { run, stored } = await open(t)
  const late = await run(async (transaction) => () => transaction.insertInto('tenants').values(north).execute())
  await t.rejects(late(), { message: 'The transaction of this query is over' })
  t.strictSame(await stored(), [])
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
