import { test } from 'tap'
import { checkSecondFactors } from '../../../cli/doctor/second-factors.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep, secondStep, signInTwice } from '../../helpers/service/factors.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { startServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit } from './administrator.js'

const passkeyOf = (userId: number) => ({
  ...{ id: `key-of-${userId}`, userId, name: 'My phone', credentialId: 'Y3JlZGVudGlhbA', publicKey: 'cHVibGlj' },
  ...{ signCount: 0, backupEligible: true, backedUp: true, userVerified: true, discoverable: true },
  ...{ transports: ['internal'], aaguid: '00000000-0000-0000-0000-000000000000', rpId: 'localhost' },
  ...{ createTime: 1, lastUsedTime: null },
})

test('an administrator sees the second factors of a user, and addresses only with the permission for contacts', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken, { name: 'My phone' })
  const first = await firstStep(server, 'alice')
  const json = { ticket: first.body.data.ticket, code: app.nextCode(), trustDevice: true }
  expectSuccess(t, await secondStep(server, json))
  const admin = (await server.signIn()).accessToken
  const shown = expectSuccess(t, await server.call('GET', `/system/user/${id}/factors`, { token: admin }))
  t.strictSame(Object.keys(shown).sort(), [
    ...['deadline', 'exempt', 'factors', 'policy', 'recoveryCodesLeft', 'trustedDevices'],
  ])
  t.match(shown, { policy: 'optional', exempt: false, deadline: null, recoveryCodesLeft: 10 })
  t.match(shown.factors, [{ id: app.id, kind: 'totp', name: 'My phone', secondOnly: true }])
  t.match(shown.trustedDevices, [{ address: '127.0.0.1' }])
  t.equal(shown.trustedDevices.length, 1)
  const viewer = await signInAs(server, 'viewer', { permissions: ['system:user:view'] })
  const answer = await server.call('GET', `/system/user/${id}/factors`, { token: viewer })
  const masked = expectSuccess(t, answer)
  t.strictSame(masked.factors, shown.factors)
  t.notOk('address' in masked.trustedDevices[0], 'the address is not shown')
  t.notMatch(answer.text, '127.0.0.1')
  for (const secret of [app.secret, ...app.recoveryCodes]) t.notMatch(answer.text, secret)

  const lister = await signInAs(server, 'lister', { permissions: ['system:user:list'] })
  expectProblem(t, await server.call('GET', `/system/user/${id}/factors`, { token: lister }), 'permission_denied')
  await server.operator.addTenant('other')
  const other = await signInAs(server, 'other', { tenantId: 2, permissions: ['system:user:view'] })
  expectProblem(t, await server.call('GET', `/system/user/${id}/factors`, { token: other }), 'not_found')
  expectProblem(t, await server.call('GET', '/system/user/999/factors', { token: admin }), 'not_found')
})

test('an administrator removes lost factors: sessions, recovery codes and trusted devices go, and the owner is told (ASVS 6.5.6)', async (t) => {
  const { server, alice, mailAfter } = await startWithMessages(t)
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const known = await firstStep(server, 'alice')
  const json = { ticket: known.body.data.ticket, code: app.nextCode(), trustDevice: true }
  const signedIn = await secondStep(server, json)
  const { accessToken } = expectSuccess(t, signedIn)
  const admin = (await server.signIn()).accessToken
  const reset = (query = '') => server.call('DELETE', `/system/user/${alice.id}/factors`, { token: admin, query })
  expectSuccess(t, await reset('kinds=passkey'))
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: accessToken }))
  expectProblem(t, await reset('kinds=sms'), 'invalid_request', ['kinds'])
  await server.app.notices.finish()
  const mail = await mailAfter(async () => expectSuccess(t, await reset()))
  t.match(mail, 'An administrator removed the second factors of your account')
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: accessToken }), 'session_revoked')
  const { db } = server.app
  t.equal((await db.users.find(alice.id))?.hasSecondFactor, false)
  t.strictSame(await db.totpSecrets.ofUser(alice.id), [])
  t.equal(await db.recoveryCodes.left(alice.id), 0)
  t.strictSame(await db.trustedDevices.ofUser(alice.id, server.clock.now()), [])
  const rows = (await audit(server, admin)).filter(({ action }) => action === 'user.factors')
  t.match(rows, [{ actorName: 'admin', targetName: 'alice', before: { factors: ['totp: Authenticator app'] } }])
  const headers = { cookie: cookiesOf(signedIn) }
  expectSuccess(t, await firstStep(server, 'alice', { headers }))

  expectSuccess(t, await reset())
  const again = (await audit(server, admin)).filter(({ action }) => action === 'user.factors')
  t.equal(again.length, 1, 'a repetition is not recorded')
})

test('of two kinds one can be removed, and the account keeps its second step', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  await enrol(t, server, (await server.signIn('alice')).accessToken)
  const { db } = server.app
  await db.passkeys.add(passkeyOf(id))
  const admin = (await server.signIn()).accessToken
  expectSuccess(t, await server.call('DELETE', `/system/user/${id}/factors`, { token: admin, query: 'kinds=totp' }))
  const first = await firstStep(server, 'alice')
  expectProblem(t, first, 'second_factor_required')
  t.strictSame(first.body.data.methods, ['passkey'], 'the recovery codes are void')
  expectSuccess(t, await server.call('DELETE', `/system/user/${id}/factors`, { token: admin }))
  t.strictSame(await db.passkeys.ofUser(id), [])
  expectSuccess(t, await firstStep(server, 'alice'))
})

test('who resets factors may change the account, and proves the own factor first', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  await enrol(t, server, (await server.signIn('alice')).accessToken)
  const reset = (token: string, of = id) => server.call('DELETE', `/system/user/${of}/factors`, { token })
  const editor = await signInAs(server, 'editor', { permissions: ['system:user:edit'] })
  expectProblem(t, await reset(editor), 'permission_denied')
  await server.operator.addTenant('other')
  const stranger = await signInAs(server, 'stranger', { tenantId: 2, userType: 1, permissions: ['system:user:reset'] })
  expectProblem(t, await reset(stranger), 'not_found')
  const boss = (await server.app.db.users.findByUsername(1, 'admin'))?.id ?? 0
  const helper = await signInAs(server, 'helper', { userType: 1, permissions: ['system:user:reset'] })
  expectProblem(t, await reset(helper, boss), 'permission_denied')
  const own = (await server.app.db.users.findByUsername(1, 'helper'))?.id ?? 0
  expectProblem(t, await reset(helper, own), 'own_account')
  expectProblem(t, await server.call('DELETE', `/system/user/${id}/factors`), 'token_missing')

  const app = await enrol(t, server, helper)
  server.clock.advance(601)
  const refused = await reset(helper)
  expectProblem(t, refused, 'step_up_required')
  t.match(refused.body.data, { acr: 'aal2', maxAge: 600, methods: ['totp', 'recovery'] })
  t.equal((await server.app.db.users.find(id))?.hasSecondFactor, true)
  expectSuccess(t, await reset(await signInTwice(t, server, 'helper', app)))
  t.equal((await server.app.db.users.find(id))?.hasSecondFactor, false)
})

test('a reset gives no new days without a required factor', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { id: late } = await server.addUser('bob')
  const admin = (await server.signIn()).accessToken
  await enrol(t, server, (await server.signIn('alice')).accessToken)
  const require = { secondFactorRequired: true }
  expectSuccess(t, await server.call('PATCH', '/system/tenant/1', { token: admin, json: require }))
  expectSuccess(t, await server.call('DELETE', `/system/user/${id}/factors`, { token: admin }))
  expectProblem(t, await firstStep(server, 'alice'), 'second_factor_setup_required')

  await server.signIn('bob')
  const { setupDeadline } = await server.app.db.factorStates.find(late)
  t.equal(setupDeadline, server.clock.now() + 7 * 24 * 3600_000)
  await enrol(t, server, (await server.signIn('bob')).accessToken)
  server.clock.advance(60)
  expectSuccess(t, await server.call('DELETE', `/system/user/${late}/factors`, { token: admin }))
  t.equal((await server.app.db.factorStates.find(late)).setupDeadline, setupDeadline, 'the deadline stays')
  const shown = expectSuccess(t, await server.call('GET', `/system/user/${late}/factors`, { token: admin }))
  t.match(shown, { policy: 'required', deadline: new Date(setupDeadline ?? 0).toISOString(), factors: [] })
  await server.signIn('bob')
  server.clock.advance(7 * 24 * 3600)
  expectProblem(t, await firstStep(server, 'bob'), 'second_factor_setup_required')
})

test('a passkey is a way in of the last administrator, and no reset takes it', async (t) => {
  const server = await startServer(t)
  const { app, operator } = server
  app.login.register({
    ...{ name: 'key', meaning: 'a passkey', summary: 'By passkey', needs: [], captcha: 'none' },
    isWayIn: (_user, _identities, passkeys) => passkeys.some(({ userVerified }) => userVerified),
    verify: () => Promise.reject(new Error('not used')),
  })
  const helper = await signInAs(server, 'helper', { userType: 0, permissions: ['system:user:reset'] })
  const token = (await server.signIn()).accessToken
  const file = 'username,realName,userType,roles\r\nghost,G,0,admin'
  t.match(expectSuccess(t, await importFile(server, token, file)), { added: 1 })
  const ghost = (await app.db.users.findByUsername(1, 'ghost'))?.id ?? 0
  const refusal = { code: 'last_administrator' }
  await t.rejects(operator.setEnabled('admin', false), refusal, 'the other administrator has no way in')
  await app.db.passkeys.add({ ...passkeyOf(ghost), id: 'second', credentialId: 'c2Vjb25k', userVerified: false })
  await t.rejects(operator.setEnabled('admin', false), refusal, 'that passkey is a second step only')
  await app.db.passkeys.add(passkeyOf(ghost))
  await t.resolves(operator.setEnabled('admin', false))
  const reset = () => server.call('DELETE', `/system/user/${ghost}/factors`, { token: helper })
  expectProblem(t, await reset(), 'last_administrator')
  t.equal((await app.db.passkeys.ofUser(ghost)).length, 2)
  await operator.setEnabled('admin', true)
  expectSuccess(t, await reset())
  t.equal((await app.db.passkeys.ofUser(ghost)).length, 0)
})

test('an expired trusted device is purged, a later one stays', async (t) => {
  const server = await startServer(t)
  const { db, housekeeping } = server.app
  const { id } = await server.addUser('alice')
  const device = { userId: id, userAgent: '', address: '192.0.2.1', createTime: 1, lastUsedTime: null }
  await db.trustedDevices.set({ ...device, id: 'one', deviceId: 'one', expiry: server.clock.now() + 1000 })
  await db.trustedDevices.set({ ...device, id: 'two', deviceId: 'two', expiry: server.clock.now() + 60_000 })
  server.clock.advance(1)
  await housekeeping.run()
  t.match(await db.trustedDevices.ofUser(id, 0), [{ id: 'two' }])
  t.equal((await db.trustedDevices.ofUser(id, 0)).length, 1)
})

test('doctor counts accounts past their deadline, and passkeys of another domain', async (t) => {
  const server = await startServer(t)
  const { db, installation } = server.app
  const { id } = await server.addUser('alice')
  const check = (rpId?: string) => checkSecondFactors(db, installation, server.clock.now(), rpId)
  t.strictSame(await check('localhost'), [])
  await db.factorStates.keepDeadline(id, server.clock.now())
  await db.passkeys.add(passkeyOf(id))
  t.strictSame(await check('localhost'), [
    {
      check: 'second factors',
      level: 'warning',
      message: '1 account without a second factor whose time to set one up is over',
      advice:
        'Where one is required, the next sign-in asks to set it up, which programs cannot do: rollcall user exempt NAME.',
    },
  ])
  t.match((await check('example.com'))[1], { message: '1 passkey registered for another domain than example.com' })
  t.equal((await check()).length, 1)
})
