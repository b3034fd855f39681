import { test, type Test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, type Answer, type TestServer } from '../../helpers/service/server.js'

const credentials = { username: 'admin', password: adminPassword }

/** Asserts what holds for the envelope of every answer, whatever it carries. */
const expectEnvelope = (t: Test, answer: Answer, server: TestServer): void => {
  t.match(answer.headers.get('content-type'), /json/)
  t.same(Object.keys(answer.body).sort(), ['code', 'data', 'message', 'timestamp'])
  t.type(answer.body.code, 'number')
  t.type(answer.body.message, 'string')
  t.match(String(answer.body.timestamp), /^\d{13}$/)
  t.equal(answer.body.timestamp, server.clock.now())
  t.notMatch(answer.text, /"msg"|"algorithm"|"success"/, 'no other names for the same')
}

test('every endpoint answers a success in the envelope', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows: [method: string, path: string, options: object, hasPayload: boolean][] = [
    ['POST', '/auth/login', { json: credentials }, true],
    ['POST', '/auth/login', { form: credentials }, true],
    ['GET', '/auth/userInfo', { token }, true],
    ['GET', '/auth/captcha', {}, true],
    ['GET', '/auth/loginConfig', {}, true],
    ['GET', '/auth/current/permissions', { token }, true],
    ['GET', '/system/user/page', { token }, true],
    ['GET', '/health/live', {}, true],
    ['GET', '/health/ready', {}, true],
    ['POST', '/auth/refreshToken', { token }, true],
    ['POST', '/auth/changePassword', { token, json: passwords }, false],
    ['POST', '/auth/logout', { token, json: {} }, false],
    ['POST', '/auth/logout', {}, false],
  ]
  for (const [method, path, options, hasPayload] of rows) {
    await t.test(`${method} ${path}`, async (t) => {
      const answer = await server.call(method, path, options)
      const data = expectSuccess(t, answer)
      expectEnvelope(t, answer, server)
      t.equal(answer.body.message, 'Success')
      if (hasPayload) t.type(data, 'object')
      else t.equal(data, null, 'no payload is null, not absent')
    })
  }
})

const passwords = { oldPassword: adminPassword, newPassword: 'another horse battery' }

test('errors of every status carry the same envelope', async (t) => {
  const server = await startServer(t)
  const rows: [status: number, method: string, path: string, options: object][] = [
    [400, 'POST', '/auth/login', { json: {} }],
    [400, 'POST', '/auth/login', { json: { ...credentials, password: 'wrong' } }],
    [401, 'GET', '/auth/userInfo', {}],
    [404, 'GET', '/nowhere', {}],
    [405, 'PUT', '/auth/login', {}],
    [413, 'POST', '/auth/login', { json: { username: 'a'.repeat(70_000) } }],
    [415, 'POST', '/auth/login', { raw: '<a/>', headers: { 'content-type': 'application/xml' } }],
  ]
  for (const [status, method, path, options] of rows) {
    await t.test(`${status} of ${method} ${path}`, async (t) => {
      const answer = await server.call(method, path, options)
      t.equal(answer.status, status)
      t.equal(answer.body.code, status, 'code equals the HTTP status')
      t.type(answer.body.data.reason, 'string')
      expectEnvelope(t, answer, server)
    })
  }
})

test('the timestamp is the time of the answer', async (t) => {
  const server = await startServer(t)
  const first = await server.call('GET', '/health/live')
  server.clock.advance(90)
  const second = await server.call('GET', '/nowhere')
  t.equal(second.body.timestamp - first.body.timestamp, 90_000)
})

test('HEAD answers as GET does, without a body', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows: [path: string, options: object, status: number][] = [
    ['/health/live', {}, 200],
    ['/auth/userInfo', { token }, 200],
    ['/auth/userInfo', {}, 401],
    ['/system/user/page', { token }, 200],
    ['/system/user/page', { token, query: 'pageNum=abc' }, 400],
    ['/system/user/page', {}, 401],
    ['/nowhere', {}, 404],
    ['/auth/login', {}, 405],
  ]
  for (const [path, options, status] of rows) {
    await t.test(`HEAD ${path}: ${status}`, async (t) => {
      const answer = await server.call('HEAD', path, options)
      t.equal(answer.status, status)
      t.equal(answer.text, '')
      const got = await server.call('GET', path, options)
      if (got.status === status) {
        t.equal(answer.headers.get('content-length'), String(Buffer.byteLength(got.text)))
        t.equal(answer.headers.get('content-type'), got.headers.get('content-type'))
      }
    })
  }
})
