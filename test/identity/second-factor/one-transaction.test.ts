import { test, type Test } from 'tap'
import { canStartRedis, skipped, startRedis } from '../../helpers/databases/redis.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, cookiesOf, enrol, firstStep, secondStep, type App } from '../../helpers/service/factors.js'
import { addPasskey, authenticatorOf, requestOptions, sendCredential } from '../../helpers/service/passkeys.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const required = { settings: { secondFactor: { policy: 'required', graceDays: 0 } } }

const start = async (t: Test) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const ticketOf = async () => (await firstStep(server, 'alice')).body.data.ticket as string
  return { server, id, app, ticketOf }
}

const factorsOf = ({ app: { db } }: TestServer, id: number) =>
  Promise.all([db.totpSecrets.ofUser(id), db.passkeys.ofUser(id), db.recoveryCodes.left(id)])

const disable = (server: TestServer) => server.operator.setEnabled('alice', false)

/** By what the second step is proved, and what is left of it afterwards. */
const proofs: Record<string, (app: App) => { authType: string; code: string }> = {
  'the code of an app': (app) => ({ authType: 'totp', code: app.nextCode() }),
  'a recovery code': (app) => ({ authType: 'recovery', code: app.recoveryCodes[0] ?? '' }),
}

for (const [name, prove] of Object.entries(proofs)) {
  test(`a second step by ${name} that is refused trusts no browser, and uses neither the proof nor the ticket up`, async (t) => {
    const { server, id, app, ticketOf } = await start(t)
    const { db } = server.app
    const ticket = await ticketOf()
    const proof = prove(app)
    await disable(server)
    const refused = await secondStep(server, { ticket, ...proof, trustDevice: true })
    expectProblem(t, refused, 'account_disabled')
    t.strictSame(refused.headers.getSetCookie(), [])
    t.strictSame(await db.trustedDevices.ofUser(id, server.clock.now()), [])
    t.strictSame(await db.sessions.live(id, server.clock.now()), [])
    t.equal(await db.recoveryCodes.left(id), 10)
    await server.operator.setEnabled('alice', true)
    expectSuccess(t, await secondStep(server, { ticket, ...proof }))
    expectProblem(t, await secondStep(server, { ticket: await ticketOf(), ...proof }), 'invalid_code')
  })
}

test('a passkey whose sign-in is refused can be sent again, and then not any more', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token: (await server.signIn('alice')).accessToken })
  const credential = authenticator.get(await requestOptions(t, server))
  await disable(server)
  expectProblem(t, await sendCredential(server, credential), 'account_disabled')
  await server.operator.setEnabled('alice', true)
  expectSuccess(t, await sendCredential(server, credential))
  expectProblem(t, await sendCredential(server, credential), 'invalid_grant')
})

test('a set-up that is refused leaves no factor and no codes behind, and can be confirmed when the account is enabled', async (t) => {
  const server = await startServer(t, required)
  const { id } = await server.addUser('alice')
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const { key, secret } = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { json: { ticket } }))
  const json = { ticket, key, code: codeAt(secret, server.clock.now()) }
  await disable(server)
  expectProblem(t, await server.call('POST', '/auth/factors/totp/confirm', { json }), 'account_disabled')
  t.strictSame(await factorsOf(server, id), [[], [], 0])
  t.equal((await server.app.db.users.find(id))?.hasSecondFactor, false)
  await server.operator.setEnabled('alice', true)
  const done = expectSuccess(t, await server.call('POST', '/auth/factors/totp/confirm', { json }))
  t.equal(done.recoveryCodes.length, 10)
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: done.session.accessToken }))
})

test('a database that fails while a session starts leaves code and ticket as they were', async (t) => {
  const { server, id, app, ticketOf } = await start(t)
  const { db } = server.app
  const live = async () => (await db.sessions.live(id, server.clock.now())).length
  const { transaction } = db
  for (const prove of Object.values(proofs)) {
    const before = await live()
    const ticket = await ticketOf()
    const proof = prove(app)
    db.transaction = (work, locks) =>
      transaction(async (inside) => {
        await work(inside)
        throw new Error('the connection was lost')
      }, locks)
    const failed = await secondStep(server, { ticket, ...proof, trustDevice: true })
    db.transaction = transaction
    t.equal(failed.status, 500)
    t.notMatch(failed.text, /accessToken/)
    t.equal(await live(), before)
    t.strictSame(await db.trustedDevices.ofUser(id, server.clock.now()), [])
    expectSuccess(t, await secondStep(server, { ticket, ...proof }))
    t.equal(await live(), before + 1)
  }
})

const skip = (await canStartRedis()) ? false : skipped

test('a passkey that was used is refused after Redis has lost its memory', { skip }, async (t) => {
  const redis = await startRedis(t)
  const server = await startServer(t, { settings: { redisUrl: redis.url } })
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token })
  const credential = authenticator.get(await requestOptions(t, server))
  const ofSession = authenticator.get(await requestOptions(t, server, { token }))
  const stepUp = () =>
    server.call('POST', '/auth/stepUp', { token, json: { authType: 'passkey', credential: ofSession } })
  expectSuccess(t, await sendCredential(server, credential))
  expectSuccess(t, await stepUp())
  await redis.run('flushall')
  expectProblem(t, await sendCredential(server, credential), 'invalid_grant')
  expectProblem(t, await stepUp(), 'invalid_grant')
})

test('a proof gives the device a new id: a copy of its cookie from before is not trusted, and its session goes on', async (t) => {
  const { server, app, ticketOf } = await start(t)
  const earlier = {
    cookie: cookiesOf(
      await server.call('POST', '/auth/login', {
        json: { authType: 'totp', ticket: await ticketOf(), code: app.nextCode() },
      }),
    ),
  }
  const { ticket } = (await firstStep(server, 'alice', { headers: earlier })).body.data
  const trusting = await secondStep(server, { ticket, code: app.nextCode(), trustDevice: true }, earlier)
  const session = expectSuccess(t, trusting)
  const later = { cookie: cookiesOf(trusting) }
  expectProblem(t, await firstStep(server, 'alice', { headers: earlier }), 'second_factor_required')
  expectSuccess(t, await firstStep(server, 'alice', { headers: later }))
  const refresh = (headers: Record<string, string>) =>
    server.call('POST', '/auth/refreshToken', { token: session.accessToken, headers })
  expectProblem(t, await refresh(earlier), 'token_invalid')
  expectSuccess(t, await refresh(later))
})

test('a change of the password gives the device a new id, with which its session goes on', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const first = { cookie: cookiesOf(await firstStep(server, 'alice')) }
  const signedIn = await firstStep(server, 'alice', { headers: first })
  const before = { cookie: cookiesOf(signedIn) }
  const { accessToken: token } = expectSuccess(t, signedIn)
  const changed = await server.call('POST', '/auth/changePassword', {
    token,
    headers: before,
    json: { oldPassword: userPassword, newPassword: 'violet umbrella stand' },
  })
  expectSuccess(t, changed)
  const after = { cookie: cookiesOf(changed) }
  expectProblem(t, await server.call('POST', '/auth/refreshToken', { token, headers: before }), 'token_invalid')
  expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token, headers: after }))
})
