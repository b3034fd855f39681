import type { Page } from '../../db/paging.js'
import type { RoleOrder } from '../../db/repositories/roles.js'
import { stepsOf } from '../helpers/values/steps.js'
import { addTenant, onEachEngine } from './engines.js'

const page = (current: number, size: number) => ({ current, size, offset: (current - 1) * size })

onEachEngine('a page of the login log is the same in steps as in one', async (t, db) => {
  const count = 9000
  await db.transaction(async ({ loginLog }) => {
    for (let index = 0; index < count; index++)
      await loginLog.add(
        {
          // Many rows of one moment: their ids decide.
          time: Math.floor(index / 3000),
          tenantId: (index % 2) + 1,
          subject: `User${index}`,
          userId: null,
          authType: 'password',
          userClient: 'pc',
          address: '192.0.2.1',
          userAgent: '',
          reason: null,
        },
        null,
      )
  })
  const read = (filter: object, current: number, size: number, direction: 'asc' | 'desc') =>
    db.loginLog.page({ refusedOnly: false, ...filter }, page(current, size), direction, stepsOf(4000))
  const subjects = async (...asked: Parameters<typeof read>) => {
    const { rows, total } = await read(...asked)
    return [total, ...rows.map(({ subject }) => subject)]
  }
  t.same(await subjects({}, 1, 2, 'desc'), [count, 'User8999', 'User8998'])
  t.same(await subjects({}, 1, 2, 'asc'), [count, 'User0', 'User1'])
  // The page lies across the end of a step.
  t.same(await subjects({}, 2, 3999, 'asc').then((all) => [all[0], all[1], all.length]), [count, 'User3999', 4000])
  t.same(await subjects({ tenantId: 1 }, 4500, 1, 'asc'), [4500, 'User8998'])
  t.same(await subjects({ subject: 'uSER899' }, 1, 1, 'asc'), [11, 'User899'])
  t.same(await subjects({ timeFrom: 1, timeTo: 1 }, 3000, 1, 'asc'), [3000, 'User5999'])
  t.same(await subjects({}, 5000, 10, 'asc'), [count])
})

onEachEngine('live sessions are listed with their users, and those of a tenant end in steps', async (t, db) => {
  const { tenant, addUser } = await addTenant(db)
  const { id: userId } = await addUser('alice')
  const count = 1200
  const rest = {
    generation: 1,
    generationTime: 1,
    encryptedToken: null,
    deviceId: null,
    identityId: null,
    acr: 'aal1' as const,
    amr: ['pwd'],
    authTime: 0,
    factorTime: null,
    userAgent: '',
  }
  await db.transaction(async ({ sessions }) => {
    for (let index = 0; index < count; index++)
      await sessions.add({
        ...rest,
        id: `session-${index}`,
        userId,
        tenantId: tenant.id,
        userClient: 'pc',
        loginIp: `192.0.2.${index % 2}`,
        createTime: index,
        lastActiveTime: count - index,
        idleExpiry: 10_000,
        expiry: index === 0 ? 5 : 10_000,
      })
  })
  const read = (filter: object, column: 'loginTime' | 'lastActiveTime') =>
    db.sessions.page(filter, page(1, 1), { column, direction: 'desc' }, 10, stepsOf(700))
  t.match(await read({}, 'loginTime'), {
    total: count - 1,
    rows: [{ username: 'alice', session: { id: 'session-1199' } }],
  })
  t.match(await read({ username: 'LIC' }, 'lastActiveTime'), { rows: [{ session: { id: 'session-1' } }] })
  t.match(await read({ loginIp: '192.0.2.1', userId, tenantId: tenant.id }, 'loginTime'), { total: count / 2 })
  t.match(await read({ tenantId: tenant.id + 1 }, 'loginTime'), { total: 0, rows: [] })
  await db.transaction(({ sessions }) => sessions.endOfTenant(tenant.id, 'disabled', 11))
  t.match(await read({}, 'loginTime'), { total: 0, rows: [] })
})

onEachEngine('roles in an order without an index are sorted in steps as the engine sorts them', async (t, db) => {
  const { tenant } = await addTenant(db)
  // Some characters are longer in UTF-16 than those that come after them.
  const names = ['b', 'B', 'é', '\u{1f600}', '\uffee', 'ß', 'a', 'a', '', '名']
  const count = 1100
  await db.transaction(async ({ roles }) => {
    for (let index = 0; index < count; index++)
      await roles.add(tenant.id, `key-${index}`, names[index % names.length] ?? '', index % 3)
  })
  const byName: RoleOrder[] = [
    { column: 'name', direction: 'desc' },
    { column: 'createTime', direction: 'asc' },
  ]
  const read = async (rows: number, wanted: Page, filter = {}) => {
    const found = await db.roles.page(filter, wanted, byName, stepsOf(rows))
    return [found.total, ...found.rows.map(({ key }) => key)]
  }
  const [total, ...keys] = await read(97, page(1, count))
  t.equal(total, count)
  t.equal(new Set(keys).size, count)
  t.same((await read(5000, page(1, count))).slice(1), keys, 'in steps as in one')
  t.same(await read(97, page(110, 10)), [count, ...keys.slice(-10)])
  t.same(await read(97, page(111, 10)), [count])
  // An index finds the roles of a tenant; up to 1,000 are sorted by the engine.
  await db.transaction(async ({ roles }) => {
    for (let index = 1000; index < count; index++)
      await roles.remove((await roles.find(tenant.id, `key-${index}`))?.id ?? 0)
  })
  const [few, ...sorted] = await read(97, page(1, count), { tenantId: tenant.id })
  t.equal(few, 1000)
  t.same((await read(97, page(1, count))).slice(1), sorted, 'as the engine sorts them')
})

onEachEngine('a role is taken from all its users, and its highest holder is known', async (t, db) => {
  const { tenant, newUser, addUser } = await addTenant(db)
  const role = await db.roles.add(tenant.id, 'editor', 'Editor', 1)
  await db.roles.replacePermissions(role.id, ['a:b:c', 'a:b:d'])
  t.equal(await db.roles.highestType(role.id), undefined)
  const { id } = await addUser('alice')
  const { id: boss } = await db.users.add({ ...newUser('boss'), userType: 1 }, 1)
  await db.roles.assign(id, role.id)
  t.equal(await db.roles.highestType(role.id), undefined)
  await db.roles.assign(boss, role.id)
  t.equal(await db.roles.highestType(role.id), 1)
  await db.roles.assign(boss, role.id + 1)
  t.same((await db.roles.grantsOf(boss)).roleIds, [role.id], 'a role that is gone is left out')
  t.match(await db.roles.page({ name: 'EDI' }, page(1, 10), [], stepsOf(10)), { total: 1, rows: [role] })
  t.equal(await db.roles.unassignSome(role.id), true)
  t.equal(await db.roles.unassignSome(role.id), false)
  await db.roles.remove(role.id)
  t.same((await db.roles.grantsOf(id)).roleKeys, [])
})
