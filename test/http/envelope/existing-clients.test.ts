import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const credentials = { username: 'admin', password: adminPassword }

test('the extra headers and the doubled slash of existing clients are tolerated', async (t) => {
  const server = await startServer(t)
  const headers = {
    traceid: 'a1b2c3',
    'x-page-path': '/system/user',
    'x-page-title': encodeURIComponent('用户管理'),
    'x-timestamp': '1770000000000',
    'x-nonce': 'n'.repeat(32),
    'x-session-id': 'session',
    'x-requested-with': 'XMLHttpRequest',
  }
  const { accessToken: token } = expectSuccess(
    t,
    await server.call('POST', '//auth/login', { json: credentials, headers }),
  )
  for (const path of ['/auth/userInfo', '//auth/userInfo', '/system/user/page', '//system//user//page']) {
    expectSuccess(t, await server.call('GET', path, { token, headers }))
  }
  expectProblem(t, await server.call('GET', '//nowhere', { headers }), 'not_found')
  expectProblem(t, await server.call('GET', '//auth/userInfo', { headers }), 'token_missing')
})

test('a sign-in may carry keys that the service does not know', async (t) => {
  const server = await startServer(t)
  const blank = { code: '', codeKey: '', phone: '', email: '', authCode: '', socialTicket: '', tenantId: null }
  const unknown = { appId: 'a', appSecret: 'b', encrypted: true, captchaType: 'graphical', connectionCode: { a: [1] } }
  const answer = await server.call('POST', '/auth/login', { json: { ...blank, ...unknown, ...credentials } })
  t.type(expectSuccess(t, answer).accessToken, 'string')
})

test('open endpoints ignore whatever stands in Authorization', async (t) => {
  const server = await startServer(t)
  const { accessToken: ended } = await server.signIn()
  await server.call('POST', '/auth/logout', { token: ended })
  const rows: [sentence: string, authorization: string][] = [
    ['a stale token', `Bearer ${ended}`],
    ['rubbish as a token', 'Bearer rubbish'],
    ['a scheme alone', 'Bearer'],
    ['undefined', 'Bearer undefined'],
    ['another scheme', 'Basic YWRtaW46YWRtaW4='],
    ['no scheme', 'rubbish'],
    ['nothing', ''],
    ['bytes beyond ASCII', 'Bearer \xff\xfe'],
    ['very much', `Bearer ${'a.'.repeat(3500)}`],
    ['a token without a signature', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
  ]
  for (const [sentence, authorization] of rows) {
    await t.test(sentence, async (t) => {
      const headers = { authorization }
      expectSuccess(t, await server.call('POST', '/auth/login', { json: credentials, headers }))
      expectSuccess(t, await server.call('GET', '/auth/captcha', { headers }))
      expectSuccess(t, await server.call('GET', '/auth/loginConfig', { headers }))
      expectSuccess(t, await server.call('GET', '/health/live', { headers }))
      expectSuccess(t, await server.call('GET', '/health/ready', { headers }))
      t.equal(expectSuccess(t, await server.call('POST', '/auth/logout', { headers })), null)
      expectProblem(t, await server.call('GET', '/nowhere', { headers }), 'not_found')
      expectProblem(t, await server.call('GET', '/auth/login', { headers }), 'method_not_allowed')
      const closed = await server.call('GET', '/auth/userInfo', { headers })
      t.equal(closed.status, 401)
      t.match(closed.headers.get('www-authenticate'), /^Bearer /)
    })
  }
})

test('a POST without a body is taken with and without a content type', async (t) => {
  const server = await startServer(t)
  for (const type of ['application/x-www-form-urlencoded', 'application/json', undefined]) {
    const empty = type === undefined ? {} : { raw: '', headers: { 'content-type': type } }
    expectSuccess(t, await server.call('POST', '/auth/logout', empty))
    const { accessToken: token } = await server.signIn()
    expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token, ...empty }))
    const login = await server.call('POST', '/auth/login', empty)
    expectProblem(t, login, 'invalid_request', ['username', 'password'])
  }
})
