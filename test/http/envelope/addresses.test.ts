import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'
import { request, sendBytes } from '../../helpers/load/socket.js'

test('what does not exist is not found', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const text = { 'content-type': 'text/plain' }
  const json = { 'content-type': 'application/json' }
  const rows: [sentence: string, method: string, path: string, options?: object][] = [
    ['sign-out without the prefix', 'POST', '/logout'],
    ['sign-out without the prefix, with a token and a body', 'POST', '/logout', { token, json: {} }],
    ['sign-out without the prefix, with a form type and no body', 'POST', '/logout', { form: {} }],
    ['sign-out without the prefix, with a body that is not JSON', 'POST', '/logout', { raw: '{', headers: json }],
    ['refresh without the prefix', 'POST', '/refreshToken'],
    ['refresh without the prefix, with a token', 'POST', '/refreshToken', { token }],
    ['refresh without the prefix, with a body that is not JSON', 'POST', '/refreshToken', { raw: '{', headers: json }],
    ['sign-in without the prefix', 'POST', '/login', { json: {} }],
    ['the root for a program', 'GET', '/', { headers: { accept: 'application/json' } }],
    ['a prefix alone', 'GET', '/auth'],
    ['a longer path', 'GET', '/auth/userInfo/1'],
    ['a stranger', 'GET', '/nowhere?a=1', { token }],
    ['a stranger with a foreign body', 'POST', '/nowhere', { raw: 'x', headers: text }],
    ['an encoded slash', 'GET', '/auth%2fuserInfo'],
    ['an encoded NUL', 'GET', '/health/live%00'],
    ['a script', 'GET', '/%3Cscript%3Ealert(1)%3C%2Fscript%3E'],
    ['a file of the documentation that is not there', 'GET', '/pages/nothing-12345678.js'],
    ['a file outside the documentation', 'GET', '/pages/..%2f..%2f..%2fpackage.json'],
  ]
  for (const [sentence, method, path, options] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await server.call(method, path, options)
      expectProblem(t, answer, 'not_found')
      t.equal(answer.headers.get('allow'), null)
      t.notMatch(answer.text, /logout|script|nowhere|public-key|package/, 'the address is not echoed')
    })
  }
})

test('a method that an address does not take is refused, and those it takes are named', async (t) => {
  const server = await startServer(t)
  const reading = 'GET, HEAD'
  const broken = { raw: '{', headers: { 'content-type': 'application/json' } }
  const rows: [method: string, path: string, allow: string, options?: object][] = [
    ['GET', '/auth/login', 'POST'],
    ['GET', '//auth/login', 'POST'],
    ['GET', '/auth/login?username=admin', 'POST'],
    ['PUT', '/auth/login', 'POST'],
    ['PUT', '/auth/login', 'POST', broken],
    ['PATCH', '/auth/login', 'POST', { json: {} }],
    ['DELETE', '/auth/login', 'POST'],
    ['GET', '/auth/logout', 'POST'],
    ['GET', '/auth/refreshToken', 'POST'],
    ['POST', '/auth/userInfo', reading],
    ['POST', '/auth/captcha', reading],
    ['POST', '/auth/loginConfig', reading],
    ['DELETE', '/auth/current/permissions', reading],
    ['POST', '/system/user/page', reading, { form: { pageNum: '1' } }],
    ['POST', '/health/live', reading],
    ['POST', '/openapi.json', reading],
    ['POST', '/.well-known/jwks.json', reading],
    ['PROPFIND', '/auth/login', 'POST'],
    ['QUERY', '/auth/login', 'POST'],
  ]
  for (const [method, path, allow, options] of rows) {
    await t.test(`${method} ${path}${options ? ' with a body' : ''}`, async (t) => {
      const answer = await server.call(method, path, options)
      expectProblem(t, answer, 'method_not_allowed')
      t.equal(answer.headers.get('allow'), allow)
    })
  }
  expectProblem(t, await sendBytes(server, request('TRACE /auth/login', { Cookie: 'a=1' })), 'method_not_allowed')
})

test('OPTIONS that is no preflight is answered in the envelope', async (t) => {
  const server = await startServer(t)
  const known = await server.call('OPTIONS', '/auth/login')
  t.match(known.headers.get('content-type'), /json/)
  expectProblem(t, known, 'method_not_allowed')
  expectProblem(t, await server.call('OPTIONS', '/nowhere'), 'not_found')
  const star = await sendBytes(server, request('OPTIONS *'))
  t.ok(star.status >= 400 && star.status < 500)
  t.same(Object.keys(star.body).sort(), ['code', 'data', 'message', 'timestamp'])
})

test('an address that cannot be decoded is a bad request', async (t) => {
  const server = await startServer(t)
  for (const path of ['/%zz', '/%', '/%E0%A4%A', '/auth/%ff', '/%c0%af', '/docs/%zz', '/%zz?lang=zh']) {
    await t.test(path, async (t) => {
      const answer = await server.call('GET', path)
      t.match(answer.headers.get('content-type'), /json/)
      expectProblem(t, answer, 'invalid_request', ['url'])
      t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      t.equal(answer.headers.get('cache-control'), 'no-store')
    })
  }
  const chinese = await server.call('GET', '/%zz', { headers: { 'accept-language': 'zh-CN' } })
  t.equal(chinese.body.message, '请求参数有误：url 地址格式不正确')
  t.same(chinese.body.data.violations, [{ field: 'url', message: '地址格式不正确' }])
})

test('a query that cannot be decoded does no harm', async (t) => {
  const server = await startServer(t)
  t.equal((await server.call('GET', '/auth/loginConfig', { query: 'x=%zz&%ff=%&&&=&?' })).status, 200)
  const answer = await server.call('GET', '/auth/loginConfig', { query: 'tenantId=%zz' })
  expectProblem(t, answer, 'invalid_request', ['tenantId'])
})
