import { test, type Test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol, firstStep } from '../../helpers/service/factors.js'
import { createGuessing, longPause } from '../../helpers/service/guessing.js'
import { addPasskey, authenticatorOf, passkeySignIn } from '../../helpers/service/passkeys.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { bodyOf } from '../../helpers/peers/mail-server.js'

const day = 24 * 3600

const start = async (t: Test) => {
  const messages = await startWithMessages(t, { settings: { clients: { pc: { maxSessions: 100 } } } })
  const { server, mailServer } = messages
  const { accessToken: token } = await server.signIn('alice')
  const app = await enrol(t, server, token)
  const guessing = createGuessing(server, app)
  /** The mails of which the text fits. */
  const told = async (text: RegExp): Promise<number> => {
    await server.app.notices.finish()
    return mailServer.mails.filter(({ raw }) => text.test(bodyOf(raw))).length
  }
  return { ...messages, app, token, told, ...guessing }
}

const ofRow = /entered a hundred wrong codes/
const ofFive = /entered five wrong codes/

test('after a hundred wrong codes in a row over days codes of apps are refused, and the owner is told once', async (t) => {
  const { server, app, told, guess, right, wrong, answerWith, browserWithFactor } = await start(t)
  const own = await browserWithFactor(t)
  for (let days = 0; days < 10; days++) {
    await guess(t, 10)
    // What the owner does on a device of her own allows strangers nothing.
    expectSuccess(t, await right(own))
    server.clock.advance(day)
    await server.app.housekeeping.run()
  }
  for (let tries = 0; tries < 12; tries++) expectProblem(t, await wrong(), 'totp_blocked')
  server.clock.advance(30 * day)
  const refused = await right()
  expectProblem(t, refused, 'totp_blocked')
  t.match(refused.body.message, /passkey or a recovery code/)
  t.notMatch(refused.text, app.secret)
  expectSuccess(t, await right(own))
  expectProblem(t, await right(), 'totp_blocked')
  t.equal(await told(ofRow), 1)
  const [code = ''] = app.recoveryCodes
  expectProblem(t, await answerWith({ authType: 'recovery', code: 'K7QP-2M9X-TR4W-8HJD-V3NB-6YZF' }), 'invalid_code')
  expectSuccess(t, await answerWith({ authType: 'recovery', code }))
  expectSuccess(t, await right())
})

test('a right code ends the row at its place; ninety-nine wrong ones refuse nothing', async (t) => {
  const { server, guess, right } = await start(t)
  for (let rows = 0; rows < 2; rows++) {
    await guess(t, 99)
    server.clock.advance(longPause)
    expectSuccess(t, await right())
  }
})

test('a known browser has a row of its own', async (t) => {
  const { server, guess, right, browserWithFactor } = await start(t)
  const [stolen, own] = [await browserWithFactor(t), await browserWithFactor(t)]
  await guess(t, 100, stolen)
  server.clock.advance(day)
  expectProblem(t, await right(stolen), 'totp_blocked')
  expectSuccess(t, await right(own))
  expectSuccess(t, await right())
})

test('a passkey always passes, by itself and as a second step, and lets codes of apps pass again', async (t) => {
  const { server, token, guess, right } = await start(t)
  const authenticator = authenticatorOf(server)
  await addPasskey(t, server, authenticator, { token })
  await guess(t, 100)
  server.clock.advance(longPause)
  expectProblem(t, await right(), 'totp_blocked')
  expectSuccess(t, await passkeySignIn(t, server, authenticator))
  expectSuccess(t, await right())
  await guess(t, 100)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const options = expectSuccess(t, await server.call('POST', '/auth/passkey/options', { json: { ticket } }))
  const json = { authType: 'passkey', ticket, credential: authenticator.get(options) }
  expectSuccess(t, await server.call('POST', '/auth/login', { json }))
  expectSuccess(t, await right())
})

test('an administrator ends the refusal: by unlocking, in a batch, on the command line, and by removing the factors', async (t) => {
  const { server, alice, guess, right, wrong } = await start(t)
  let admin = ''
  const unlocks = async (): Promise<number> => {
    admin = (await server.signIn()).accessToken
    const query = { action: 'user.unlock', targetId: alice.id, size: 100 }
    const page = expectSuccess(t, await server.call('GET', '/system/audit/page', { token: admin, query }))
    return page.records.length
  }
  const ways = {
    'the API': () => server.call('POST', `/system/user/${alice.id}/unlock`, { token: admin }),
    'a batch': () =>
      server.call('POST', '/system/user/batch', { token: admin, json: { action: 'unlock', ids: [alice.id] } }),
    'the command line': () => server.operator.unlock('alice'),
  }
  for (const [name, unlock] of Object.entries(ways)) {
    await guess(t, 100)
    server.clock.advance(longPause)
    expectProblem(t, await right(), 'totp_blocked')
    const before = await unlocks()
    await unlock()
    t.equal((await unlocks()) - before, 1, `${name}: in the audit trail`)
    expectSuccess(t, await right())
  }
  await guess(t, 10)
  expectProblem(t, await wrong(), 'too_many_attempts')
  await server.operator.unlock('alice')
  expectSuccess(t, await right())
  await guess(t, 100)
  const { accessToken: last } = await server.signIn()
  expectSuccess(t, await server.call('DELETE', `/system/user/${alice.id}/factors`, { token: last, json: {} }))
  const next = createGuessing(server, await enrol(t, server, (await server.signIn('alice')).accessToken))
  expectSuccess(t, await next.right())
})

test('wrong codes of others pause no recovery code, and wrong recovery codes pause nothing of the account', async (t) => {
  const { app, guess, right, wrong, answerWith } = await start(t)
  const recovery = (code: string) => answerWith({ authType: 'recovery', code })
  for (let tries = 0; tries < 25; tries++)
    expectProblem(t, await recovery('K7QP-2M9X-TR4W-8HJD-V3NB-6YZF'), 'invalid_code')
  expectSuccess(t, await right())
  await guess(t, 10)
  expectProblem(t, await wrong(), 'too_many_attempts')
  expectSuccess(t, await recovery(app.recoveryCodes[0] ?? ''))
})

test('of parallel wrong codes at the end of the row no more are checked than are left', async (t) => {
  const { server, guess, wrong, right } = await start(t)
  await guess(t, 96)
  server.clock.advance(longPause)
  const counts = tally(await parallel(30, () => wrong()))
  t.equal(counts['invalid_code'], 4, JSON.stringify(counts))
  server.clock.advance(longPause)
  expectProblem(t, await right(), 'totp_blocked')
})

test('wrong codes are told by account: four with each ticket, and right ones between, hide nothing', async (t) => {
  const { told, guess, right, wrong } = await start(t)
  await guess(t, 4)
  t.equal(await told(ofFive), 0)
  expectSuccess(t, await right())
  expectProblem(t, await wrong(), 'invalid_code')
  t.equal(await told(ofFive), 1)
})

test('wrong codes of step-ups and of other devices are told, too, once in 24 hours', async (t) => {
  const { server, told, guess, right, browserWithFactor } = await start(t)
  const own = await browserWithFactor(t)
  const session = async (): Promise<string> => expectSuccess(t, await right()).accessToken as string
  let token = await session()
  const stepUp = (authType = 'totp') =>
    server.call('POST', '/auth/stepUp', { token, json: { authType, code: '000000' } })
  for (let tries = 0; tries < 10; tries++) expectProblem(t, await stepUp(), 'invalid_code')
  t.equal(await told(ofFive), 1)
  await guess(t, 4, own)
  t.equal(await told(ofFive), 1)
  server.clock.advance(day)
  await guess(t, 2, own)
  token = await session()
  for (const authType of ['recovery', 'recovery', 'totp']) expectProblem(t, await stepUp(authType), 'invalid_code')
  t.equal(await told(ofFive), 2)
})

test('four wrong codes a day are told on the second day', async (t) => {
  const { server, told, guess } = await start(t)
  await guess(t, 4)
  server.clock.advance(day)
  t.equal(await told(ofFive), 0)
  await guess(t, 1)
  t.equal(await told(ofFive), 1)
})

test('codes that were right and have been used are told to nobody', async (t) => {
  const { app, told, answerWith } = await start(t)
  const code = app.nextCode()
  expectSuccess(t, await answerWith({ code }))
  for (let tries = 0; tries < 8; tries++) expectProblem(t, await answerWith({ code }), 'invalid_code')
  t.equal(await told(ofFive), 0)
})
