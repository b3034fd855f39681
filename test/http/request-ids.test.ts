import { test } from 'tap'
import { startServer, type TestServer } from '../helpers/service/server.js'
import { request, sendBytes } from '../helpers/load/socket.js'

const fresh = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const trusting = { TRUST_PROXY: '127.0.0.1' }

/** Lines of the log since `start`, parsed. */
const linesSince = (server: TestServer, start: number) =>
  server
    .log()
    .slice(start)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { reqId?: string; msg: string })

test('the id of a request comes from a trusted proxy if it is short and of safe characters, otherwise it is new', async (t) => {
  const server = await startServer(t, { environment: trusting })
  const rows: [given: string, isUsed: boolean][] = [
    ['7f1c9e2a', true],
    ['Root=1-67891233-abcdef012345678912345678', true],
    ['a.b:c/d+e_f-g', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['', false],
    ['two words', false],
    ['one, two', false],
    ['"quoted"', false],
    ['a{b}', false],
    ['<script>', false],
    ['semi;colon', false],
    ['\u00e9t\u00e9', false],
    ['tab\there', false],
  ]
  for (const [given, isUsed] of rows) {
    const { headers } = await server.call('GET', '/health/live', { headers: { 'x-request-id': given } })
    const answered = headers.get('x-request-id') ?? ''
    if (isUsed) t.equal(answered, given)
    else t.match(answered, fresh, JSON.stringify(given))
  }
  const twice = request('GET /health/live', { 'X-Request-Id': 'one\r\nX-Request-Id: two' })
  t.match((await sendBytes(server, twice)).headers.get('x-request-id'), fresh, 'two of them')
})

test('the id of somebody who is not a trusted proxy is neither answered nor logged', async (t) => {
  for (const TRUST_PROXY of ['', '10.0.0.1']) {
    const server = await startServer(t, { environment: { TRUST_PROXY } })
    const headers = { 'x-request-id': 'chosen-by-a-stranger' }
    t.match((await server.call('GET', '/health/live', { headers })).headers.get('x-request-id'), fresh)
    t.notMatch(server.log(), 'chosen-by-a-stranger')
  }
})

test('every answer has the id of its request, also those before and outside of the routes', async (t) => {
  const server = await startServer(t, { environment: trusting })
  const { accessToken: token } = await server.signIn()
  const rows: [method: string, path: string, options?: object][] = [
    ['GET', '/auth/userInfo', { token }],
    ['GET', '/auth/userInfo'],
    ['GET', '/nowhere'],
    ['GET', '/auth/login'],
    ['GET', '/%zz'],
    ['GET', '/docs/'],
    ['GET', '/openapi.json'],
    ['GET', '/.well-known/jwks.json'],
    ['POST', '/auth/login', { raw: '{', headers: { 'content-type': 'application/json' } }],
    ['POST', '/auth/login', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
  ]
  for (const [method, path, options = {}] of rows) {
    const given = `id-of-${method}-${path.replace(/\W/g, '')}`
    const headers = { ...(options as { headers?: object }).headers, 'x-request-id': given }
    const answer = await server.call(method, path, { ...options, headers })
    t.equal(answer.headers.get('x-request-id'), given, `${method} ${path}: ${answer.status}`)
  }
  const bytes = await sendBytes(server, 'hello\r\n\r\n')
  const id = bytes.headers.get('x-request-id') ?? ''
  t.match(id, fresh, 'bytes that are not HTTP')
  t.match(server.log(), id)
})

test('every log line that a request causes has the id once, also those of features', async (t) => {
  const server = await startServer(t, { environment: trusting })
  const begin = server.log().length
  const json = { username: 'admin', password: 'wrong horse battery' }
  await server.call('POST', '/auth/login', { json, headers: { 'x-request-id': 'sign-in-1' } })
  await server.call('POST', '/auth/login', { json, headers: { 'x-request-id': 'sign-in-2' } })
  const lines = linesSince(server, begin)
  t.ok(lines.some(({ msg, reqId }) => msg === 'sign-in' && reqId === 'sign-in-1'))
  t.ok(lines.some(({ msg, reqId }) => msg === 'sign-in' && reqId === 'sign-in-2'))
  t.ok(lines.length >= 8)
  for (const line of lines) t.match(line.reqId, /^sign-in-[12]$/, JSON.stringify(line))
  for (const line of server.log().slice(begin).split('\n')) {
    t.ok((line.match(/"reqId"/g) ?? []).length <= 1, line)
  }
})
