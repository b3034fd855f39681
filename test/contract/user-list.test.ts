import type { Database } from '../../db/index.js'
import type { UserFilter, UserOrder } from '../../db/user-list/index.js'
import { addTenant, onEachEngine } from './engines.js'

const open = async (db: Database) => {
  const { tenant, newUser } = await addTenant(db)
  const people = [
    { ...newUser('Carol'), remark: 'b', createTime: 3 },
    { ...newUser('alice'), createTime: 1 },
    { ...newUser('王小明'), remark: 'a', createTime: 2, userStatus: 0 },
    { ...newUser('bob_%'), remark: 'a', createTime: 2 },
  ]
  const ids = await db.users.addMany(people)
  const list = db.openUserList()
  const page = async (filter: Partial<UserFilter> = {}, order: UserOrder[] = [], current = 1, size = 10) => {
    const asker = { userId: 1, beginWaiting: () => ({ signal: new AbortController().signal, end: () => undefined }) }
    const wanted = { current, size, offset: (current - 1) * size }
    const { users, total } = await list.select({ tenantIds: [], ...filter }, order).page(wanted, asker)
    return { names: users.map(({ username }) => username), users, total }
  }
  return { ids, list, page, tenant }
}

const by = (column: UserOrder['column'], direction: UserOrder['direction'] = 'asc'): UserOrder[] => [
  { column, direction },
]

onEachEngine('the list is filtered, ordered and counted', async (t, db) => {
  const { list, page, tenant } = await open(db)
  const names = async (...wanted: Parameters<typeof page>) => (await page(...wanted)).names
  t.strictSame(await names({}, by('username')), ['alice', 'bob_%', 'Carol', '王小明'])
  t.strictSame(await names({}, by('createTime', 'desc')), ['Carol', 'bob_%', '王小明', 'alice'])
  t.strictSame(await names({}, by('createTime')), ['alice', '王小明', 'bob_%', 'Carol'], 'ties by id')
  t.strictSame(await names({}, by('remark')), ['alice', '王小明', 'bob_%', 'Carol'], 'absent values first')
  t.strictSame(await names({}, by('remark', 'desc')), ['Carol', 'bob_%', '王小明', 'alice'])
  t.strictSame(await names({ username: 'O' }, by('username')), ['bob_%', 'Carol'])
  t.strictSame(await names({ keyword: '_%' }), ['bob_%'])
  t.strictSame(await names({ realName: '小' }), ['王小明'])
  t.strictSame(await names({ userStatus: 0 }), ['王小明'])
  t.strictSame(await names({ createTimeFrom: 2, createTimeTo: 2 }, by('id')), ['王小明', 'bob_%'])
  t.strictSame(await names({ tenantIds: [tenant.id, tenant.id + 1] }), [])
  t.match(await page({}, by('username'), 2, 3), { names: ['王小明'], total: 4 })
  t.match(await page({}, by('username'), 3, 3), { names: [], total: 4 })
  await list.close()
})

onEachEngine('names are sorted by their code points, whatever the language of the server', async (t, db) => {
  const { tenant, newUser } = await addTenant(db)
  // In the order of code points, which no language has.
  const names = ['a b', 'a-b', 'a_b', 'ab', 'ä', 'я', '王', '\u{1f600}']
  await db.users.addMany(names.toReversed().map((name) => ({ ...newUser(name), createTime: 1 })))
  const list = db.openUserList()
  const asker = { userId: 1, beginWaiting: () => ({ signal: new AbortController().signal, end: () => undefined }) }
  const found = await list
    .select({ tenantIds: [tenant.id] }, by('username'))
    .page({ current: 1, size: 10, offset: 0 }, asker)
  t.strictSame(
    found.users.map(({ username }) => username),
    names,
  )
  await list.close()
})

onEachEngine('the list shows every write at once', async (t, db) => {
  const { ids, list, page, tenant } = await open(db)
  const order = by('lastLoginTime', 'desc')
  t.equal((await page({}, order)).names[0], 'bob_%')
  const alice = ids[1] ?? 0
  await db.users.recordLogin(alice, '192.0.2.1', 9)
  const role = await db.roles.add(tenant.id, 'staff', 'Staff', 1)
  await db.roles.assign(alice, role.id)
  const [first] = (await page({}, order)).users
  t.match(first, { id: alice, lastLoginTime: 9, loginCount: 1, roleKeys: ['staff'], tenantName: 'Acme' })
  t.notOk(first && 'passwordHash' in first)
  await db.users.change(alice, { userStatus: 0 }, 10)
  t.equal((await page({ userStatus: 0 })).total, 2)
  t.strictSame((await page({ hasSecondFactor: true })).names, [])
  await db.users.setHasSecondFactor(alice, true, 11)
  const having = await page({ hasSecondFactor: true })
  t.match(having, { names: ['alice'], total: 1, users: [{ hasSecondFactor: true }] })
  t.equal((await page({ hasSecondFactor: false })).total, 3)
  t.equal((await page({}, by('hasSecondFactor', 'desc'))).names[0], 'alice')
  await db.users.setHasSecondFactor(alice, false, 12)
  t.equal((await page({ hasSecondFactor: true })).total, 0)
  await list.close()
})
