import { test } from 'tap'
import { decodeJwt } from 'jose'
import { operatorActor } from '../../../lib/actor.js'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol, firstStep, secondStep } from '../../helpers/service/factors.js'
import {
  addPasskey,
  authenticatorOf,
  pageOrigin,
  passkeySignIn,
  requestOptions,
  sendCredential,
  sendPasskey,
} from '../../helpers/service/passkeys.js'
import { startServer } from '../../helpers/service/server.js'

test('a person sets up a passkey, and signs in with it alone, without a name', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const authenticator = authenticatorOf(server)
  const { factor, recoveryCodes } = await addPasskey(t, server, authenticator, { token, name: 'My phone' })
  t.equal(recoveryCodes?.length, 10)
  const { id, createTime, lastUsedTime, ...shown } = factor
  t.ok(id && createTime && lastUsedTime)
  t.strictSame(shown, { kind: 'passkey', name: 'My phone', backedUp: false, discoverable: true, secondOnly: false })

  const options = await requestOptions(t, server)
  t.strictSame(options.allowCredentials, [], 'strangers get no list')
  t.equal(options.userVerification, 'required')
  const result = expectSuccess(t, await sendCredential(server, authenticator.get(options)))
  t.strictSame(Object.keys(result).sort(), ['accessToken', 'expiresIn', 'forcePasswordChange', 'tokenType', 'userInfo'])
  t.equal(result.userInfo.username, 'alice')
  t.type(decodeJwt(result.accessToken).sub, 'string')

  const database = await connect(server.directory)
  t.teardown(database.close)
  const [session] = await database.all('select acr, amr from sessions order by create_time desc, acr desc limit 1')
  t.match(session, { acr: 'aal2', amr: 'pop user mfa' })
  const own = expectSuccess(t, await server.call('GET', '/auth/factors', { token: result.accessToken }))
  t.equal(own.rpId, 'localhost')
  t.match(own.userHandle, /^[\w-]{43}$/)
  t.equal(own.factors.length, 1)
})

test('the user handle is random, stays the same, and no options contain the id of the user', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const begin = async () =>
    expectSuccess(t, await server.call('POST', '/auth/factors/passkey/options', { token, json: {} }))
  const [one, other] = [await begin(), await begin()]
  t.equal(one.user.id, other.user.id)
  t.equal(Buffer.from(one.user.id, 'base64url').length, 32)
  t.not(one.challenge, other.challenge)
  t.strictSame(one.rp, { id: 'localhost', name: 'Rollcall' })
  t.equal(one.attestation, 'none')
  t.match(one.authenticatorSelection, { residentKey: 'preferred', userVerification: 'preferred' })
})

test('options of a ticket and of a session name the passkeys of the account, a token that is not valid counts as none', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const authenticator = authenticatorOf(server)
  const withoutPasskey = await requestOptions(t, server, { token })
  t.strictSame(withoutPasskey.allowCredentials, [])
  await addPasskey(t, server, authenticator, { token })
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const id = authenticator.keys[0]?.id.toString('base64url')
  for (const by of [{ ticket }, { token }]) {
    const options = await requestOptions(t, server, by)
    t.strictSame(options.allowCredentials, [{ id, transports: ['internal'], type: 'public-key' }])
    t.equal(options.userVerification, 'preferred')
  }
  t.strictSame((await requestOptions(t, server, { token: 'stale' })).allowCredentials, [])
  const bad = await server.call('POST', '/auth/passkey/options', { json: { ticket: 'unknown' } })
  expectProblem(t, bad, 'invalid_grant')
})

test('a passkey is a second step, with and without verification', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token: (await server.signIn('alice')).accessToken })
  for (const verified of [true, false]) {
    const first = await firstStep(server, 'alice')
    expectProblem(t, first, 'second_factor_required')
    const { ticket, methods } = first.body.data
    t.strictSame(methods, ['passkey', 'recovery'])
    const credential = authenticator.get(await requestOptions(t, server, { ticket }), { verified })
    expectSuccess(t, await sendCredential(server, credential, { ticket }))
    expectProblem(t, await sendCredential(server, credential, { ticket }), 'invalid_grant')
  }
})

test('credentials come as form fields, too, as JSON text', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token: (await server.signIn('alice')).accessToken })
  const credential = JSON.stringify(authenticator.get(await requestOptions(t, server)))
  expectSuccess(t, await server.call('POST', '/auth/login', { form: { authType: 'passkey', credential } }))
  const text = JSON.stringify(authenticator.get(await requestOptions(t, server)))
  expectSuccess(t, await sendCredential(server, text))
})

test('a passkey that was made without verification is a second factor only', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const authenticator = authenticatorOf(server, { verified: false })
  const { factor } = await addPasskey(t, server, authenticator, {
    token: (await server.signIn('alice')).accessToken,
  })
  t.equal(factor.secondOnly, true)
  expectProblem(t, await passkeySignIn(t, server, authenticator, { verified: true }), 'invalid_grant')
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const credential = authenticator.get(await requestOptions(t, server, { ticket }))
  expectSuccess(t, await sendCredential(server, credential, { ticket }))
})

test('a required factor can be a passkey: its registration answers the session', async (t) => {
  const server = await startServer(t, { settings: { secondFactor: { policy: 'required', graceDays: 0 } } })
  await server.addUser('alice')
  const first = await firstStep(server, 'alice')
  expectProblem(t, first, 'second_factor_setup_required')
  const { ticket, methods } = first.body.data
  t.strictSame(methods, ['totp', 'passkey'])
  const authenticator = authenticatorOf(server)
  const { session, recoveryCodes } = expectSuccess(t, await sendPasskey(t, server, authenticator, { ticket }))
  t.equal(recoveryCodes.length, 10)
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: session.accessToken }))
  expectSuccess(t, await passkeySignIn(t, server, authenticator))
})

test('a passkey proves its owner in a live session, and a further factor needs that', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token })
  server.clock.advance(601)
  const refused = await server.call('POST', '/auth/factors/passkey/options', { token, json: {} })
  expectProblem(t, refused, 'step_up_required')
  t.strictSame(refused.body.data.methods, ['passkey', 'recovery'])
  const stepUp = (credential: unknown) =>
    server.call('POST', '/auth/stepUp', { token, json: { authType: 'passkey', credential } })
  const ofStranger = authenticator.get(await requestOptions(t, server))
  expectProblem(t, await stepUp(ofStranger), 'invalid_grant')
  expectProblem(t, await stepUp(undefined), 'invalid_request', ['credential'])
  const result = expectSuccess(t, await stepUp(authenticator.get(await requestOptions(t, server, { token }))))
  t.strictSame(result, {
    acr: 'aal2',
    amr: ['pwd', 'pop', 'user', 'mfa'],
    authTime: new Date(server.clock.now()).toISOString(),
  })
  expectSuccess(t, await server.call('POST', '/auth/factors/passkey/options', { token, json: {} }))
})

test('the sign-in page is told of passkeys, and a tenant can switch them off', async (t) => {
  const server = await startServer(t)
  const read = async () => expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
  const before = await read()
  t.ok(before.authTypes.includes('passkey'))
  t.strictSame(before.passkeys, { rpId: 'localhost', address: pageOrigin(server) })
  t.strictSame(before.secondFactors, ['passkey', 'totp', 'recovery'])
  await server.addUser('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token: (await server.signIn('alice')).accessToken })
  await server.app.login.ofTenant.change(operatorActor(), 1, { disable: ['passkey'], enable: [] })
  t.notOk((await read()).authTypes.includes('passkey'))
  expectProblem(t, await passkeySignIn(t, server, authenticator), 'unsupported_auth_type')
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const credential = authenticator.get(await requestOptions(t, server, { ticket }))
  expectSuccess(t, await sendCredential(server, credential, { ticket }))
})

test('without a tenant in the request the passkey says which it is', async (t) => {
  const server = await startServer(t)
  const { id: tenantId } = await server.operator.addTenant('Other')
  await server.addUser('alice', { tenantId })
  const { accessToken: token } = await server.signIn('alice', undefined, { tenantId })
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token })
  const result = expectSuccess(t, await passkeySignIn(t, server, authenticator))
  t.equal(result.userInfo.tenantId, tenantId)
  const inTenant = async (id: number) =>
    sendCredential(server, authenticator.get(await requestOptions(t, server)), { tenantId: id })
  expectSuccess(t, await inTenant(tenantId))
  expectProblem(t, await inTenant(1), 'invalid_grant')
})

test('failed codes and passwords of others at the address never pause a passkey', async (t) => {
  const server = await startServer(t, {
    settings: { lockout: { addressFailures: 3 }, captcha: { mode: 'never' } },
    // Otherwise addresses are not counted.
    environment: { RATE_LIMITS: 'on' },
  })
  await server.addUser('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token: (await server.signIn('alice')).accessToken })
  for (let count = 0; count < 3; count += 1) await firstStep(server, 'nobody', { json: { password: 'wrong' } })
  expectProblem(t, await firstStep(server, 'nobody'), 'too_many_attempts')
  expectSuccess(t, await passkeySignIn(t, server, authenticator))
})

test('after wrong codes the passkey of the same ticket still works', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const authenticator = authenticatorOf(server)
  const { accessToken: token } = await server.signIn('alice')
  await addPasskey(t, server, authenticator, { token })
  await enrol(t, server, token)
  for (let tries = 0; tries < 3; tries += 1) {
    const { ticket } = (await firstStep(server, 'alice')).body.data
    for (let count = 0; count < 4; count += 1) await secondStep(server, { ticket, code: '000000' })
  }
  const { ticket } = (await firstStep(server, 'alice')).body.data
  expectProblem(t, await secondStep(server, { ticket, code: '000000' }), 'too_many_attempts')
  const credential = authenticator.get(await requestOptions(t, server, { ticket }))
  expectSuccess(t, await sendCredential(server, credential, { ticket }))
})

test('an Android app that is listed signs in, another one does not, and pages still do', async (t) => {
  const origin = (sign: string) => `android:apk-key-hash:${sign.repeat(43)}`
  const server = await startServer(t, { settings: { passkeys: { origins: [origin('a')] } } })
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token, deviation: { origin: origin('a') } })
  const signInFrom = async (from?: string) =>
    sendCredential(
      server,
      authenticator.get(await requestOptions(t, server), from === undefined ? {} : { origin: from }),
    )
  expectSuccess(t, await signInFrom(origin('a')))
  expectSuccess(t, await signInFrom())
  expectProblem(t, await signInFrom(origin('b')), 'invalid_grant')
  t.match(server.log(), /a passkey of another origin is refused/)
  const { passkeys } = expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
  t.equal(passkeys.address, pageOrigin(server), 'the address for people is one of pages')
})
