import { addTenant, onEachEngine } from './engines.js'

onEachEngine('a user is found by each of its names, whatever the case', async (t, db) => {
  const { tenant, newUser } = await addTenant(db)
  const phone = { display: '138 0013 8000', key: '+8613800138000' }
  const added = await db.users.add({ ...newUser('Alice'), phone, email: 'Alice@Example.com', remark: '小' }, 5)
  t.match(added, { realName: 'ALICE', phone: '138 0013 8000', phoneKey: phone.key, remark: '小', createTime: 5 })
  t.match(added, { passwordHash: null, forcePasswordChange: false, userStatus: 1, lastLoginTime: null, loginCount: 0 })
  t.strictSame(await db.users.find(added.id), added)
  t.strictSame(await db.users.findByUsername(tenant.id, 'aLICE'), added)
  t.strictSame(await db.users.findByPhone(tenant.id, phone), added)
  t.strictSame(await db.users.findByEmail(tenant.id, 'alice@example.COM'), added)
  t.strictSame(await db.users.findWithTenant(added.id), {
    user: added,
    tenant: { id: tenant.id, name: 'Acme', enabled: true, secondFactorRequired: false },
  })
  t.equal(await db.users.findByUsername(tenant.id + 1, 'alice'), undefined)
})

onEachEngine('a name is taken once in a tenant, and may be used in another', async (t, db) => {
  const { newUser, addUser } = await addTenant(db)
  const other = await db.tenants.add('Other', 1)
  await addUser('alice')
  await t.rejects(addUser('ALICE'))
  t.equal(await db.users.addUnlessTaken(newUser('Alice'), 1), undefined)
  t.ok(await db.users.addUnlessTaken({ ...newUser('alice'), tenantId: other.id }, 1))
})

onEachEngine('many users are added, but for those whose name is taken', async (t, db) => {
  const { tenant, newUser, addUser } = await addTenant(db)
  const { id } = await addUser('user 3')
  const names = [...Array.from({ length: 120 }, (_, index) => `user ${index}`), 'user 5']
  const ids = await db.users.addMany(names.map((name) => ({ ...newUser(name), createTime: 7, loginCount: 2 })))
  t.equal(ids.length, 121)
  t.strictSame(
    ids.flatMap((added, index) => (added === undefined ? [index] : [])),
    [3, 120],
  )
  t.match(await db.users.find(ids[119] ?? 0), { username: 'user 119', createTime: 7, loginCount: 2 })
  t.equal((await db.users.findByUsername(tenant.id, 'user 3'))?.id, id)
})

onEachEngine('the number of a user who is gone is not given to another', async (t, db) => {
  const { addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  const importId = await db.imports.begin(1)
  t.equal(await db.imports.record(importId, [id], 2), true)
  t.equal(await db.imports.giveUp(importId), true)
  t.equal(await db.imports.keep(importId), false, 'it has been given up')
  t.strictSame(await db.imports.ended(), [{ id: importId, isKept: false }])
  t.equal(await db.transaction(({ imports }) => imports.remove({ id: importId, isKept: false }, 10)), 1)
  t.equal(await db.transaction(({ imports }) => imports.remove({ id: importId, isKept: false }, 10)), 0)
  t.equal(await db.users.find(id), undefined)
  t.ok((await addUser('bob')).id > id)
})

onEachEngine('a hash is replaced only by one of the same password', async (t, db) => {
  const { addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  await db.users.setPassword(id, 'old', true, 9)
  t.match(await db.users.find(id), { passwordHash: 'old', forcePasswordChange: true, passwordTime: 9, updateTime: 9 })
  t.equal(await db.users.rehash(id, 'other', 'new'), false)
  t.equal(await db.users.rehash(id, 'old', 'new'), true)
  t.strictSame(
    (await db.users.passwordHashes(0, 10)).map(({ passwordHash }) => passwordHash),
    ['new'],
  )
  await db.users.recordLogin(id, '192.0.2.1', 11)
  await db.users.recordLogin(id, '192.0.2.2', 12)
  t.match(await db.users.find(id), { lastLoginTime: 12, lastLoginIp: '192.0.2.2', loginCount: 2, updateTime: 9 })
})

onEachEngine('permissions come from all roles of a user, each once', async (t, db) => {
  const { tenant, addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  const [staff, readers] = [
    await db.roles.add(tenant.id, 'staff', 'Staff', 1),
    await db.roles.add(tenant.id, 'readers', 'Readers', 1),
  ]
  await db.roles.replacePermissions(staff.id, ['b', 'a'])
  await db.roles.replacePermissions(readers.id, ['b'])
  await db.roles.assign(id, readers.id)
  await db.roles.assignMany([
    { userId: id, roleId: staff.id },
    { userId: id, roleId: readers.id },
  ])
  t.strictSame(await db.roles.grantsOf(id), {
    roleIds: [staff.id, readers.id],
    roleKeys: ['staff', 'readers'],
    permissions: ['a', 'b'],
    secondFactorRequired: false,
  })
  t.strictSame((await db.roles.keysOf([id, id + 1])).get(id), ['staff', 'readers'])
})

onEachEngine('a transaction reads what it has written, and is kept as a whole or not at all', async (t, db) => {
  const { tenant, newUser } = await addTenant(db)
  const fail = db.transaction(async ({ users }) => {
    await users.add(newUser('alice'), 1)
    t.ok(await users.findByUsername(tenant.id, 'alice'))
    throw new Error('undone')
  })
  await t.rejects(fail, { message: 'undone' })
  t.equal(await db.users.findByUsername(tenant.id, 'alice'), undefined)
  await db.transaction(({ users }) => users.add(newUser('alice'), 1))
  t.ok(await db.users.findByUsername(tenant.id, 'alice'))
})

onEachEngine('a ban is a state of the user, is listed until it is over, and is forgotten after it', async (t, db) => {
  const { tenant, addUser } = await addTenant(db)
  const [alice, bob] = [await addUser('alice'), await addUser('bob')]
  t.match(alice, { bannedUntil: null, banReason: null })
  const list = db.openUserList()
  const asker = { userId: 1, beginWaiting: () => ({ signal: new AbortController().signal, end: () => undefined }) }
  const selected = list.select({ tenantIds: [] }, [{ column: 'bannedUntil', direction: 'desc' }])
  const listed = async () => {
    const { users } = await selected.page({ current: 1, size: 10, offset: 0 }, asker)
    return users.map(({ username, bannedUntil }) => `${username} ${bannedUntil ?? 'none'}`)
  }
  t.strictSame(await listed(), ['bob none', 'alice none'])
  await db.users.setBan(alice.id, { expiry: 5000, reason: 'late' }, 10)
  t.strictSame(await listed(), ['alice 5000', 'bob none'])
  await db.users.setBan(bob.id, { expiry: 9000, reason: null }, 10)
  t.strictSame(await listed(), ['bob 9000', 'alice 5000'])
  t.match(await db.users.find(alice.id), { bannedUntil: 5000, banReason: 'late', updateTime: 10 })
  const page = (now: number, filter = {}, offset = 0) => db.userBans.page(filter, { offset, size: 1 }, now)
  t.match(await page(4999), { total: 2, rows: [{ userId: alice.id, expiry: 5000, tenantName: 'Acme' }] })
  t.match(await page(4999, { keyword: 'BO', tenantId: tenant.id }), { total: 1, rows: [{ userId: bob.id }] })
  t.match(await page(4999, { tenantId: tenant.id + 1 }), { total: 0, rows: { length: 0 } })
  t.match(await page(5000), { total: 1, rows: [{ userId: bob.id }] })
  t.equal(await db.userBans.purge(4999, 10), 0)
  t.equal(await db.userBans.purge(5000, 10), 1)
  t.match(await db.users.find(alice.id), { bannedUntil: null, banReason: null, updateTime: 10 })
  t.strictSame(await listed(), ['bob 9000', 'alice none'])
  await db.users.setBan(bob.id, null, 11)
  t.match(await page(0), { total: 0 })
  t.strictSame(await listed(), ['bob none', 'alice none'])
  await list.close()
})
