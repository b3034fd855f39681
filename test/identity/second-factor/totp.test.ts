import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, enrol, firstStep, secondStep, stepLength } from '../../helpers/service/factors.js'
import { createEncryption } from '../../../plugins/run/encryption/encryption.js'
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
  // Past the code that was told to be one of the future.
  server.clock.advance(6 * stepLength)
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

test('an enrolment and a sign-in tell how far the clock of the device is off', async (t) => {
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
  const step = (seconds: number) =>
    secondStep(server, { ticket, code: codeAt(begun.secret, server.clock.now() + seconds * 1000) })
  for (const offset of [300, -120]) {
    const answer = await step(offset)
    expectProblem(t, answer, 'invalid_code')
    t.equal(answer.body.data.clockOffset, offset)
  }
  for (const offset of [0, 1200, -1200]) t.notOk('clockOffset' in (await step(offset)).body.data, String(offset))
})

test('a code of which was told that it is one of the future is refused when its time comes, and no other one', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const early = codeAt(app.secret, server.clock.now() + 300_000)
  t.equal((await secondStep(server, { ticket, code: early })).body.data.clockOffset, 300)
  for (const seconds of [270, 30, 30]) {
    server.clock.advance(seconds)
    const answer = await secondStep(server, { ticket, code: early })
    expectProblem(t, answer, 'invalid_code')
    t.notOk('clockOffset' in answer.body.data)
  }
  expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }))
  const later = (await firstStep(server, 'alice')).body.data.ticket as string
  const past = codeAt(app.secret, server.clock.now() - 120_000)
  t.equal((await secondStep(server, { ticket: later, code: past })).body.data.clockOffset, -120)
  expectSuccess(t, await secondStep(server, { ticket: later, code: app.nextCode() }))
})

test('the picture of an app has at most 77 modules a side, whatever the names are', async (t) => {
  const { page, picture } = { page: 288, picture: /^<svg width="(\d+)" height="\1" [^>]*viewBox="0 0 \1 \1"/ }
  for (const [serviceName, username] of [
    ['Rollcall', 'alice'],
    ['统一身份认证与用户目录服务平台（测试环境）'.repeat(4), '张三丰的非常长的用户名'.repeat(5)],
    ['%'.repeat(100), '😀'.repeat(20)],
  ] as const) {
    const server = await startServer(t, { settings: { serviceName } })
    await server.addUser(username)
    const { accessToken: token } = await server.signIn(username)
    const { uri, qrCode } = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }))
    const svg = Buffer.from(String(qrCode).split(',')[1] ?? '', 'base64').toString()
    const [, width] = picture.exec(svg) ?? []
    const modules = Number(width) / 4
    t.ok(modules >= 21 && modules <= 79, `${modules} modules with the border`)
    t.ok((page - 18) / modules >= 3, 'at least 3 px of a narrow phone for each')
    const names = decodeURIComponent(new URL(uri as string).pathname).replace(/^\/+(totp\/)?/, '')
    const [issuer = '', account = ''] = names.split(':')
    for (const [shown, whole] of [
      [issuer, serviceName],
      [account, username],
    ] as const)
      t.ok(shown === whole || (shown.length > 3 && whole.startsWith(shown.replace(/…$/, ''))), shown)
    t.equal(new URL(uri as string).searchParams.get('issuer'), issuer)
  }
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
