import type { Repositories } from '../../db/index.js'
import { parallel } from '../helpers/values/compare.js'
import { addTenant, onEachEngine } from './engines.js'

onEachEngine('of fifty transactions that check before they write, one writes', async (t, db) => {
  const added = await parallel(50, () =>
    db.transaction(async ({ tenants }) => {
      if (await tenants.findByName('Acme')) return false
      await tenants.add('Acme', 1)
      return true
    }),
  )
  t.equal(added.filter(Boolean).length, 1)
})

onEachEngine('fifty transactions that lock one user see the work of each other', async (t, db) => {
  const { addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  await db.users.setPassword(id, 'old', false, 1)
  const changed = await parallel(50, (index) =>
    db.transaction(
      async ({ users }) => {
        if ((await users.find(id))?.passwordHash !== 'old') return false
        await users.setPassword(id, `new ${index}`, false, 2)
        return true
      },
      { user: id },
    ),
  )
  t.equal(changed.filter(Boolean).length, 1)
})

onEachEngine('a tenant is not disabled while a transaction counts on it', async (t, db) => {
  const { tenant } = await addTenant(db)
  const order: string[] = []
  let begun: () => void = () => undefined
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  let disabling: Promise<void> = Promise.resolve()
  await db.transaction(
    async ({ tenants }) => {
      disabling = hasBegun.then(() =>
        db.transaction(
          async ({ tenants }) => {
            order.push('disabled')
            await tenants.setEnabled(tenant.id, false, 2)
          },
          { administration: true, changedTenant: tenant.id },
        ),
      )
      begun()
      // Long enough for a transaction that does not wait.
      for (let query = 0; query < 50; query++) t.equal((await tenants.find(tenant.id))?.enabled, true)
      order.push('used')
    },
    { tenant: tenant.id },
  )
  await disabling
  t.strictSame(order, ['used', 'disabled'])
})

const rest = { tenantId: 1, authType: 'password', userClient: 'pc', address: '', userAgent: '', reason: null }

onEachEngine(
  'when one of the queries that a transaction has begun together fails, none changes anything',
  async (t, db) => {
    const { tenant, addUser } = await addTenant(db)
    const { id } = await addUser('alice')
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    t.teardown(() => process.off('warning', note))
    const event = { ...rest, tenantId: tenant.id, time: 1, subject: 'alice', userId: id }
    const failed = db.transaction(
      ({ users, loginLog }) =>
        Promise.all([
          users.recordLogin(id, '', 1),
          loginLog.add(event, null),
          users.add(
            { tenantId: 0, username: 'b', realName: '', userType: 2, passwordHash: '', forcePasswordChange: false },
            1,
          ),
          users.recordLogin(id, '', 2),
        ]),
      { user: id },
    )
    await t.rejects(failed)
    t.equal((await db.users.find(id))?.loginCount, 0)
    t.strictSame(await db.loginLog.list({ refusedOnly: false, limit: 9 }), [])
    await db.transaction(({ users }) => users.recordLogin(id, '', 3), { user: id })
    t.equal((await db.users.find(id))?.loginCount, 1)
    t.strictSame(warnings, [], 'no statement is sent while another one is under way')
  },
)

onEachEngine('a query that a transaction begins after it has failed changes nothing', async (t, db) => {
  const { addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  await db.users.setPassword(id, 'x', false, 1)
  /** A compiled query, and one that is built when it runs. */
  const queries: ((repositories: Repositories) => Promise<unknown>)[] = [
    ({ users }) => users.recordLogin(id, '', 1),
    ({ users }) => users.rehash(id, 'x', 'y'),
  ]
  // The query is begun so many turns of the queue of promises after the failure: before, while and after it is rolled back.
  for (let turns = 0; turns < 60; turns++) {
    for (const query of queries) {
      let late: Promise<unknown> | undefined
      const failed = db.transaction(
        async (repositories) => {
          await repositories.users.find(id)
          let turn = Promise.resolve()
          for (let count = 0; count < turns; count++) turn = turn.then(() => undefined)
          late = turn.then(() => query(repositories)).catch(() => undefined)
          throw new Error('No')
        },
        { user: id },
      )
      await t.rejects(failed, { message: 'No' })
      await late
    }
  }
  const user = await db.users.find(id)
  t.strictSame([user?.loginCount, user?.passwordHash], [0, 'x'])
})
