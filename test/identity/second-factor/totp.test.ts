import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, enrol, firstStep, secondStep, stepLength } from '../../helpers/service/factors.js'
import { createEncryption } from '../../../plugins/sessions/encryption/encryption.js'
import { startServer } from '../../helpers/service/server.js'

test('an account with an authenticator app signs in in two steps', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const app = await enrol(t, server, token)
  t.equal(app.recoveryCodes.length, 10)
  const first = await firstStep(server, 'alice')
  expectProblem(t, first, 'second_factor_required')
  t.equal(first.status, 403)
  const { ticket, methods, expiresIn, ...others } = first.body.data
  t.strictSame(others, { reason: 'second_factor_required', trustDays: 30 })
  t.strictSame(methods, ['totp', 'recovery'])
  t.equal(expiresIn, 600)
  t.match(ticket, /^[\w-]{43}$/)
  const result = expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }))
  t.strictSame(Object.keys(result).sort(), ['accessToken', 'expiresIn', 'forcePasswordChange', 'tokenType', 'userInfo'])
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: result.accessToken }))
})

test('the steps before and after are accepted, a used or earlier one is not (ASVS 6.5.1, ASVS 6.5.5)', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const answer = async (offset: number) => {
    const { ticket } = (await firstStep(server, 'alice')).body.data
    return secondStep(server, { ticket, code: codeAt(app.secret, server.clock.now() + offset * stepLength * 1000) })
  }
  expectProblem(t, await answer(0), 'invalid_code')
  expectProblem(t, await answer(2), 'invalid_code')
  expectSuccess(t, await answer(1))
  expectProblem(t, await answer(0), 'invalid_code')
  server.clock.advance(3 * stepLength)
  expectProblem(t, await answer(-2), 'invalid_code')
  expectSuccess(t, await answer(-1))
  expectSuccess(t, await answer(0))
})

test('codes are folded, and form fields do', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const wide = (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
  for (const write of [
    wide,
    (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
    (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
  ]) {
    const { ticket } = (await firstStep(server, 'alice')).body.data
    const form = { authType: 'totp', ticket, code: write(app.nextCode()), trustDevice: 'false' }
    expectSuccess(t, await server.call('POST', '/auth/login', { form }))
  }
  for (const code of ['12345', '1234567', 'abcdef', '']) {
    const { ticket } = (await firstStep(server, 'alice')).body.data
    const reason = code === '' ? 'invalid_request' : 'invalid_code'
    expectProblem(t, await secondStep(server, { ticket, code }), reason)
  }
})

test('an enrolment tells how far the clock of the device is off, and a sign-in does not', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const begun = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }))
  const confirm = (offset: number) =>
    server.call('POST', '/auth/factors/totp/confirm', {
      token,
      json: { key: begun.key, code: codeAt(begun.secret, server.clock.now() + offset * 1000) },
    })
  const ahead = await confirm(300)
  expectProblem(t, ahead, 'invalid_code')
  t.equal(ahead.body.data.clockOffset, 300)
  t.equal((await confirm(-120)).body.data.clockOffset, -120)
  t.notOk('clockOffset' in (await confirm(1200)).body.data)
  expectSuccess(t, await confirm(0))
  expectProblem(t, await confirm(30), 'invalid_grant')
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const late = await secondStep(server, { ticket, code: codeAt(begun.secret, server.clock.now() + 300_000) })
  t.notOk('clockOffset' in late.body.data)
})

test('beginning anew does not touch the app that works, and a key is bound to its session', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const app = await enrol(t, server, token)
  const begun = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }))
  t.not(begun.secret, app.secret)
  t.match(begun.uri, /^otpauth:\/\/totp\/Rollcall:alice\?/)
  t.match(begun.qrCode, /^data:image\/svg\+xml;base64,/)
  t.equal(begun.expiresIn, 900)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const other = expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }))
  const json = { key: begun.key, code: codeAt(begun.secret, server.clock.now()) }
  const foreign = await server.call('POST', '/auth/factors/totp/confirm', { token: other.accessToken, json })
  expectProblem(t, foreign, 'invalid_grant')
  server.clock.advance(901)
  const late = await server.call('POST', '/auth/factors/totp/confirm', { token, json })
  expectProblem(t, late, 'invalid_grant')
})

test('an app whose set-up was begun with another master secret is begun anew', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const { key, secret } = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }))
  const { store } = server.app
  const get = store.get.bind(store)
  store.get = async (place) => (await get(place)) && createEncryption('another master secret').encrypt('{}', place)
  const json = { key, code: codeAt(secret, server.clock.now()) }
  expectProblem(t, await server.call('POST', '/auth/factors/totp/confirm', { token, json }), 'invalid_grant')
})
