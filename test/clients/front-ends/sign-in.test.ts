import { test } from 'tap'
import { echo, solvedCaptcha } from '../../helpers/service/captcha.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'
import { request, sendBytes } from '../../helpers/load/socket.js'

/** The sign-in of an admin console, as it goes over the wire. */
const consoleBody = {
  appId: '',
  appSecret: '',
  encrypted: true,
  captchaType: 'graphical',
  connectionCode: '',
  tenantId: null,
  authType: 'password',
  username: 'admin',
  password: adminPassword,
  code: '',
  codeKey: '',
  phone: '',
  email: '',
  authCode: '',
  socialTicket: '',
  userClient: 'pc',
}

test('a sign-in may carry keys that the server does not know, null and empty ones', async (t) => {
  const server = await startServer(t)
  const data = expectSuccess(t, await server.call('POST', '/auth/login', { json: consoleBody }))
  t.equal(data.userInfo.username, 'admin')
  t.equal(data.userInfo.tenantId, 1)
})

test('the same body signs in with a captcha when loginConfig does not say enableCaptcha false', async (t) => {
  const server = await startServer(t, { environment: echo })
  const { enableCaptcha } = expectSuccess(t, await server.call('GET', '/auth/loginConfig', { query: 'userClient=pc' }))
  t.not(enableCaptcha, false)
  const json = { ...consoleBody, authType: 'password_captcha', ...(await solvedCaptcha(server)) }
  expectSuccess(t, await server.call('POST', '/auth/login', { json }))
})

test('the same body signs in without one when loginConfig says enableCaptcha false', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' } } })
  t.equal(expectSuccess(t, await server.call('GET', '/auth/loginConfig')).enableCaptcha, false)
  expectSuccess(t, await server.call('POST', '/auth/login', { json: consoleBody }))
})

test('there is no public key to encrypt passwords with, so that they arrive as they are', async (t) => {
  const server = await startServer(t)
  const answer = await server.call('GET', '/crypto/public-key')
  t.match(String(answer.status), /^(200|404)$/)
  t.notMatch(answer.text, /publicKey|BEGIN/)
  t.equal(answer.body.code, answer.status)
})

test('a stored, stale token on every request disturbs no open endpoint', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  await server.call('POST', '/auth/logout', { token: accessToken })
  server.clock.advance(86_400)
  for (const token of [accessToken, `${accessToken.slice(0, -4)}AAAA`, 'undefined', 'null', '']) {
    await t.test(`Bearer ${token.slice(0, 12)}`, async (t) => {
      expectSuccess(t, await server.call('POST', '/auth/login', { token, json: consoleBody }))
      expectSuccess(t, await server.call('GET', '/auth/captcha', { token }))
      expectSuccess(t, await server.call('GET', '/auth/loginConfig', { token }))
      expectSuccess(t, await server.call('POST', '/auth/logout', { token, json: {} }))
    })
  }
})

test('the header may be built as tokenType, a space, the token', async (t) => {
  const server = await startServer(t)
  const { tokenType, accessToken } = await server.signIn()
  const headers = { authorization: `${tokenType} ${accessToken}` }
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { headers }))
})

test('extra headers of the clients are tolerated, also from another origin', async (t) => {
  const origin = 'https://console.example.com'
  const server = await startServer(t, { environment: { CORS_ORIGINS: origin } })
  const names = ['traceId', 'X-Page-Path', 'X-Page-Title', 'X-Timestamp', 'X-Nonce', 'X-Session-Id']
  const headers = Object.fromEntries(names.map((name) => [name, '%E7%94%A8%E6%88%B7']))
  expectSuccess(t, await server.call('POST', '/auth/login', { json: consoleBody, headers: { ...headers, origin } }))
  const asked = ['authorization', 'content-type', ...names.map((name) => name.toLowerCase())].join(',')
  const preflight = await server.call('OPTIONS', '/auth/login', {
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
  })
  t.equal(preflight.headers.get('access-control-allow-origin'), origin)
  const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase()
  for (const name of asked.split(',')) t.ok(allowed === '*' || allowed.includes(name), `${name} is allowed`)
})

test('//auth/login is /auth/login', async (t) => {
  const server = await startServer(t)
  const answer = await server.call('POST', '//auth/login', { json: consoleBody })
  t.ok(expectSuccess(t, answer).accessToken)
  expectProblem(t, await server.call('POST', '//auth/login', { json: {} }), 'invalid_request', ['username', 'password'])
})

test('Content-Length: 0 with a form type is no body, for every POST', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  const headers = {
    Authorization: `Bearer ${accessToken}`,
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': '0',
  }
  const post = (path: string) => sendBytes(server, request(`POST ${path}`, headers))
  expectProblem(t, await post('/auth/login'), 'invalid_request', ['username', 'password'])
  const refreshed = await post('/auth/refreshToken')
  t.ok(expectSuccess(t, refreshed).accessToken)
  const fields = `oldPassword=${encodeURIComponent(adminPassword)}&newPassword=brass%20kettle%20whistle`
  t.equal(expectSuccess(t, await post(`/auth/changePassword?${fields}`)), null)
  t.ok(await server.signIn('admin', 'brass kettle whistle'))
  t.equal(expectSuccess(t, await post('/auth/logout')), null)
  t.notMatch(server.log(), /brass.{1,3}kettle/)
})

test('a sign-out comes as an empty object, or with no body and no content type', async (t) => {
  const server = await startServer(t)
  for (const options of [{ json: {} }, {}]) {
    const { accessToken: token } = await server.signIn()
    t.equal(expectSuccess(t, await server.call('POST', '/auth/logout', { ...options, token })), null)
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')
  }
})
