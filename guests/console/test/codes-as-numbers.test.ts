import { test } from 'tap'
import { echo } from '../../../test/helpers/service/captcha.js'
import { email, phone, startWithMessages } from '../../../test/helpers/service/self-service.js'
import { captchaEntry } from '../../../plugins/identity/captcha/captchas.js'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { adminPassword, startServer, type TestServer } from '../../../test/helpers/service/server.js'

const codeKey = 'captcha:m3Yk0d4xQkq1x2b3c4d5eg'
/** A captcha whose answer has digits only, as one in some thousands. */
const plant = (server: TestServer, answer = '3993') =>
  server.app.store.set(captchaEntry(codeKey), JSON.stringify({ answer }), 60_000)

test('the answer of a captcha may come as a number', async (t) => {
  const server = await startServer(t)
  const login = (code: unknown) =>
    server.call('POST', '/auth/login', {
      json: { authType: 'password_captcha', username: 'admin', password: adminPassword, codeKey, code },
    })
  await plant(server)
  expectSuccess(t, await login(3993))
  await plant(server)
  expectProblem(t, await login(3999), 'invalid_code')
  await plant(server)
  for (const code of [0, -3993, 39.5, 1e300, true, [3993], { code: 3993 }])
    expectProblem(t, await login(code), 'invalid_request', ['code'])
  expectSuccess(t, await login('3993'))
  const off = await startServer(t, { settings: { compat: { enabled: false } } })
  const json = { authType: 'password_captcha', username: 'admin', password: adminPassword, codeKey, code: 3993 }
  expectProblem(t, await off.call('POST', '/auth/login', { json }), 'invalid_request', ['code'])
})

test('a one-time code may come as a number, which has lost the zeros before it', async (t) => {
  const { server, post } = await startWithMessages(t, { environment: echo })
  const codes: string[] = []
  // A tenth of all codes begins with a zero.
  while (codes.length < 40 && !codes.some((code) => code.startsWith('0'))) {
    const { code } = expectSuccess(t, await post('/auth/captcha/sms', { phone }))
    codes.push(code)
    const json = { authType: 'phone_captcha', phone }
    expectProblem(t, await post('/auth/login', { ...json, code: 0 }), 'invalid_request', ['code'])
    expectSuccess(t, await post('/auth/login', { ...json, code: Number(code) }))
    expectProblem(t, await post('/auth/login', { ...json, code: Number(code) }), 'invalid_code')
    server.clock.advance(86_400)
  }
  t.ok(codes.length > 0)
})

test('an answer that is sent as a number is read where codes are asked for, too', async (t) => {
  const { server, post } = await startWithMessages(t)
  for (const [path, recipient] of [
    ['/auth/captcha/sms', { phone }],
    ['/auth/captcha/email', { email }],
  ] as const) {
    await plant(server)
    expectSuccess(t, await post(path, { ...recipient, codeKey, code: 3993 }))
    expectProblem(t, await post(path, { ...recipient, codeKey, code: 0 }), 'invalid_request', ['code'])
  }
})
