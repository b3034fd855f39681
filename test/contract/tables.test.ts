import { addTenant, onEachEngine } from './engines.js'
import { purge } from '../helpers/databases/purge.js'

const event = (subject: string, time: number, reason: string | null) => ({
  time,
  tenantId: 1,
  subject,
  userId: null,
  authType: 'password',
  userClient: 'pc',
  address: '192.0.2.1',
  userAgent: '',
  reason,
})

onEachEngine('a tenant is found by its name, whatever the case', async (t, db) => {
  const { tenant } = await addTenant(db)
  t.strictSame(await db.tenants.findByName('aCME'), tenant)
  t.strictSame(await db.tenants.list(), [tenant])
  await t.rejects(db.tenants.add('ACME', 2))
})

onEachEngine('equal refusals are one event with a count, the latest first', async (t, db) => {
  await db.loginLog.add(event('alice', 1, 'invalid_credentials'), 'key')
  await db.loginLog.add(event('Bob', 2, null), null)
  await db.loginLog.add(event('alice', 3, 'invalid_credentials'), 'key')
  t.equal(await db.loginLog.addToRefusals({ time: 4 }, 'other'), false)
  const all = await db.loginLog.list({ refusedOnly: false, limit: 10 })
  t.match(all, [
    { subject: 'alice', time: 3, firstTime: 1, tries: 2 },
    { subject: 'Bob', time: 2, firstTime: 2, tries: 1 },
  ])
  t.match(await db.loginLog.list({ refusedOnly: false, subject: 'bOB', limit: 10 }), [{ subject: 'Bob' }])
  t.equal((await db.loginLog.list({ refusedOnly: true, since: 3, limit: 10 })).length, 1)
  t.equal(await db.loginLog.newest(3), 3)
  t.equal(await db.loginLog.newest(2), 2)
  t.equal(await db.loginLog.newest(1), undefined)
  t.equal(await db.loginLog.last(), 2)
  t.equal(await purge(db, 'login_log', 3, 10), 1)
})

onEachEngine('an identity is linked once in a tenant', async (t, db) => {
  const { tenant, addUser } = await addTenant(db)
  const { id: userId } = await addUser('alice')
  const identity = {
    userId,
    tenantId: tenant.id,
    platform: 'p',
    issuer: 'i',
    subject: 's',
    displayName: null,
    createTime: 1,
  }
  const added = await db.identities.add(identity)
  t.match(added, identity)
  await t.rejects(db.identities.add(identity))
  t.strictSame(await db.identities.ofUser(userId), [added])
  await db.identities.remove([added.id])
  t.strictSame(await db.identities.ofUser(userId), [])
})

onEachEngine('login methods of a tenant are disabled and enabled', async (t, db) => {
  const { tenant } = await addTenant(db)
  await db.disabledMethods.add(tenant.id, ['social', 'oauth2'])
  await db.disabledMethods.add(tenant.id, ['oauth2'])
  t.strictSame(await db.disabledMethods.of(tenant.id), ['oauth2', 'social'])
  await db.disabledMethods.remove(tenant.id, ['social'])
  t.strictSame(await db.disabledMethods.of(tenant.id), ['oauth2'])
})

onEachEngine('a contact is verified until it changes', async (t, db) => {
  const { addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  const email = (text: string) => ({ kind: 'email', text }) as const
  await db.verifiedContacts.add(id, email('Alice@example.com'), 1)
  await db.verifiedContacts.add(id, email('alice@example.com'), 2)
  t.equal(await db.verifiedContacts.isVerified(id, email('ALICE@example.com')), true)
  t.equal(await db.verifiedContacts.isVerified(id, email('bob@example.com')), false)
  t.equal(await db.verifiedContacts.isVerified(id, { kind: 'phone', text: 'alice@example.com' }), false)
})

onEachEngine('signing keys are listed, the one that became active last first', async (t, db) => {
  const key = { algorithm: 'ES256' as const, publicJwk: '{}', encryptedPrivateJwk: 'encrypted', createTime: 1 }
  await db.signingKeys.add({ ...key, kid: 'one', activeTime: 1 })
  await db.signingKeys.add({ ...key, kid: 'two', activeTime: 2 })
  t.match(await db.signingKeys.list(), [{ kid: 'two' }, { kid: 'one' }])
})

onEachEngine('a schema is brought up to date once', async (t, db) => {
  t.strictSame(await db.pendingMigrations(), [])
  t.strictSame(await db.migrate(), [])
  await db.ping()
  await db.testWrite(1)
})

onEachEngine('numbers beyond 32 bits are kept and compared', async (t, db) => {
  const { tenant, newUser } = await addTenant(db)
  const many = 3_000_000_000
  const [id] = await db.users.addMany([{ ...newUser('alice'), loginCount: many, createTime: Number.MAX_SAFE_INTEGER }])
  t.match(await db.users.find(id ?? 0), { loginCount: many, createTime: Number.MAX_SAFE_INTEGER })
  t.equal(await db.users.find(Number.MAX_SAFE_INTEGER), undefined)
  t.equal(await db.users.findByUsername(tenant.id + 2 ** 33, 'alice'), undefined)
  const store = db.createStore(() => 1)
  await store.increment('count', many, 100)
  t.match(await store.increment('count', many, 100), { count: 2 * many })
})
