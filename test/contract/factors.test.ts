import { addTenant, onEachEngine } from './engines.js'
import { purge } from '../helpers/databases/purge.js'

const app = (userId: number, id = 'app') => ({
  ...{ id, userId, name: 'My phone', encryptedSecret: 'sealed', lastStep: 5, createTime: 1, lastUsedTime: null },
})
const passkey = (userId: number, id = 'key') => ({
  ...{ id, userId, name: 'My key', credentialId: `credential of ${id}`, publicKey: 'cHVibGlj', signCount: 2 ** 32 - 1 },
  ...{ backupEligible: true, backedUp: false, userVerified: true, discoverable: null },
  ...{ transports: ['internal', 'hybrid'], aaguid: '00000000-0000-0000-0000-000000000000', rpId: 'a.example.com' },
  ...{ createTime: 1, lastUsedTime: null },
})
const device = (userId: number, deviceId = 'cookie', expiry = 100) => ({
  ...{ id: `trust in ${deviceId}`, userId, deviceId, userAgent: 'Mozilla', address: '192.0.2.1' },
  ...{ createTime: 1, lastUsedTime: null, expiry },
})

onEachEngine('a step of an authenticator app is used once, also by many at once', async (t, db) => {
  const { addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  await db.totpSecrets.add(app(id))
  t.strictSame(await db.totpSecrets.ofUser(id), [app(id)])
  const uses = await Promise.all(Array.from({ length: 20 }, () => db.totpSecrets.useStep('app', 7, 9)))
  t.equal(uses.filter(Boolean).length, 1)
  t.equal(await db.totpSecrets.useStep('app', 6, 9), false, 'an earlier step')
  await db.totpSecrets.rename('app', 'Tablet')
  t.strictSame(await db.totpSecrets.ofUser(id), [{ ...app(id), name: 'Tablet', lastStep: 7, lastUsedTime: 9 }])
  await db.totpSecrets.add(app(id, 'other'))
  await db.totpSecrets.remove('app')
  t.match(await db.totpSecrets.ofUser(id), [{ id: 'other' }])
  await db.totpSecrets.removeOfUser(id)
  t.strictSame(await db.totpSecrets.ofUser(id), [])
})

onEachEngine('a passkey belongs to one account, and keeps what the authenticator said', async (t, db) => {
  const { addUser } = await addTenant(db)
  const [{ id }, { id: other }] = [await addUser('alice'), await addUser('bob')]
  await db.passkeys.add(passkey(id))
  t.strictSame(await db.passkeys.find('credential of key'), passkey(id))
  t.equal(await db.passkeys.find('Credential of key'), undefined, 'case counts')
  const taken = { ...passkey(other, 'second'), credentialId: 'credential of key' }
  t.equal(await db.passkeys.add(taken), false)
  await db.passkeys.markUsed('key', { signCount: 2 ** 32, backedUp: true, isCounted: true }, 9)
  t.match(await db.passkeys.ofUser(id), [{ signCount: 2 ** 32, backedUp: true, lastUsedTime: 9 }])
  t.equal(await db.passkeys.countOfOthers('a.example.com'), 0)
  t.equal(await db.passkeys.countOfOthers('example.com'), 1)
  await db.passkeys.removeOfUser(other)
  t.equal((await db.passkeys.ofUser(id)).length, 1)
})

onEachEngine('a recovery code is used once, also by many at once, and new ones void the old', async (t, db) => {
  const { addUser } = await addTenant(db)
  const [{ id }, { id: other }] = [await addUser('alice'), await addUser('bob')]
  await db.recoveryCodes.replace(id, ['one', 'two'])
  await db.recoveryCodes.replace(other, ['one'])
  const uses = await Promise.all(Array.from({ length: 20 }, () => db.recoveryCodes.use(id, 'one', 5)))
  t.equal(uses.filter(Boolean).length, 1)
  t.equal(await db.recoveryCodes.left(id), 1)
  t.equal(await db.recoveryCodes.left(other), 1, 'those of others stay')
  await db.recoveryCodes.replace(id, ['three'])
  t.equal(await db.recoveryCodes.use(id, 'two', 5), false)
  await db.recoveryCodes.removeOfUser(id)
  t.equal(await db.recoveryCodes.left(id), 0)
})

onEachEngine('a trusted device is found until it expires, one for each device of an account', async (t, db) => {
  const { addUser } = await addTenant(db)
  const [{ id }, { id: other }] = [await addUser('alice'), await addUser('bob')]
  await db.trustedDevices.set(device(id))
  t.strictSame(await db.trustedDevices.find(id, 'cookie', 99), device(id))
  t.equal(await db.trustedDevices.find(id, 'cookie', 100), undefined)
  t.equal(await db.trustedDevices.find(other, 'cookie', 50), undefined, 'the cookie of another account')
  await db.trustedDevices.set({ ...device(id), id: 'again', expiry: 200 })
  t.match(await db.trustedDevices.ofUser(id, 100), [{ id: 'trust in cookie', expiry: 200 }])
  await db.trustedDevices.set(device(id, 'second'))
  t.equal(await purge(db, 'trusted_devices', 99, 10), 0)
  t.equal(await purge(db, 'trusted_devices', 200, 1), 1, 'at most so many')
  t.equal(await purge(db, 'trusted_devices', 200, 10), 1)
})

onEachEngine('a deadline is stamped once, and an exempt account is not late', async (t, db) => {
  const { addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  t.strictSame(await db.factorStates.find(id), { userHandle: undefined, setupDeadline: undefined, exempt: false })
  await db.factorStates.keepDeadline(id, 10)
  await db.factorStates.keepDeadline(id, 20)
  t.equal((await db.factorStates.find(id)).setupDeadline, 10)
  t.equal(await db.factorStates.countLate(9), 0)
  t.equal(await db.factorStates.countLate(10), 1)
  await db.users.setHasSecondFactor(id, true, 1)
  t.equal(await db.factorStates.countLate(10), 0)
  await db.users.setHasSecondFactor(id, false, 1)
  await db.factorStates.setExempt(id, true)
  t.equal(await db.factorStates.countLate(10), 0)
  const handles = await Promise.all(['a', 'b'].map((handle) => db.factorStates.keepHandle(id, handle)))
  t.equal(handles[0], handles[1], 'of two at once one is kept')
  t.equal((await db.factorStates.find(id)).userHandle, handles[0])
})

onEachEngine('with a user goes everything about its factors', async (t, db) => {
  const { addUser } = await addTenant(db)
  const { id } = await addUser('alice')
  await db.totpSecrets.add(app(id))
  await db.passkeys.add(passkey(id))
  await db.recoveryCodes.replace(id, ['one'])
  await db.trustedDevices.set(device(id))
  await db.factorStates.keepHandle(id, 'handle')
  await db.users.remove(id)
  t.strictSame(await db.totpSecrets.ofUser(id), [])
  t.strictSame(await db.passkeys.ofUser(id), [])
  t.equal(await db.recoveryCodes.left(id), 0)
  t.strictSame(await db.trustedDevices.ofUser(id, 1), [])
  t.equal((await db.factorStates.find(id)).userHandle, undefined)
})
