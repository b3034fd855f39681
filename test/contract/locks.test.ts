import { parallel } from '../helpers/compare.js'
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
