import { test } from 'tap'
import { expectProblem } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'
import { request, sendBytes } from '../../helpers/load/socket.js'

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const right = `"username":"admin","password":"${adminPassword}"`

test('a body that is not one JSON object is refused by name', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, body: string | Buffer, fields: string[]][] = [
    ['cut off', '{"username":"admin"', ['body']],
    ['followed by more', `{${right}} {}`, ['body']],
    ['with a trailing comma', `{${right},}`, ['body']],
    ['in single quotes', "{'username':'admin'}", ['body']],
    ['a bare NaN', '{"tenantId":NaN}', ['body']],
    ['invalid UTF-8 in a value', Buffer.from(`{${right},"x":"\xff"}`, 'latin1'), ['body']],
    ['invalid UTF-8 in a key', Buffer.from(`{${right},"\xc0\xaf":1}`, 'latin1'), ['body']],
    ['a raw NUL byte', `{"username":"admin\0","password":"${adminPassword}"}`, ['body']],
    ['UTF-16', Buffer.from(`{${right}}`, 'utf16le'), ['body']],
    ['a __proto__ key', `{${right},"__proto__":{"polluted":1}}`, ['body']],
    ['a nested __proto__ key', `{${right},"x":[{"__proto__":{"polluted":1}}]}`, ['body']],
    ['an escaped __proto__ key', `{${right},"\\u005f_proto__":{"polluted":1}}`, ['body']],
    ['a constructor.prototype key', `{${right},"constructor":{"prototype":{"polluted":1}}}`, ['body']],
    ['a key twice', `{"username":"nobody",${right}}`, ['body']],
    ['an array', `[{${right}}]`, ['body']],
    ['an empty array', '[]', ['body']],
    ['a string', '"admin"', ['body']],
    ['a number', '1', ['body']],
    ['a boolean', 'true', ['body']],
    ['nested arrays without end', '['.repeat(30_000), ['body']],
    ['nested arrays 20,000 deep', '['.repeat(20_000) + ']'.repeat(20_000), ['body']],
    ['null, which is no body', 'null', ['username', 'password']],
    ['empty, which is no body', '', ['username', 'password']],
    ['nested objects 10,000 deep', '{"x":'.repeat(10_000) + '1' + '}'.repeat(10_000), ['body']],
    ['objects for texts', '{"username":{"$ne":1},"password":["x"]}', ['username', 'password']],
    ['numbers for texts', '{"username":1,"password":2}', ['username', 'password']],
    ['a deep value for a text', `{"username":${'['.repeat(9_000)}${']'.repeat(9_000)},"password":"x"}`, ['body']],
    ['an overlong value', `{"username":"${'a'.repeat(1025)}","password":"x"}`, ['username']],
    ['a fraction for a tenant', `{${right},"tenantId":1.5}`, ['tenantId']],
    ['a huge number for a tenant', `{${right},"tenantId":1e400}`, ['tenantId']],
    ['an object for a tenant', `{${right},"tenantId":{"id":1}}`, ['tenantId']],
    ['a client kind that does not exist', `{${right},"userClient":"tv"}`, ['userClient']],
  ]
  for (const [sentence, raw, fields] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await server.call('POST', '/auth/login', { raw, headers: json })
      expectProblem(t, answer, 'invalid_request', fields)
      t.notMatch(answer.text, /accessToken|polluted|Unexpected|position|JSON\.parse/)
    })
  }
  t.equal(({} as { polluted?: number }).polluted, undefined)
})

test('a body that is not JSON is refused where none is needed', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  for (const path of ['/auth/logout', '/auth/refreshToken', '/auth/changePassword']) {
    await t.test(path, async (t) => {
      const answer = await server.call('POST', path, { token, raw: '{', headers: json })
      expectProblem(t, answer, 'invalid_request', ['body'])
    })
  }
  t.equal((await server.call('GET', '/auth/userInfo', { token })).status, 200, 'the session goes on')
})

test('a body that only looks like the right credentials signs nobody in', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, body: string, headers: Record<string, string>][] = [
    ['an escaped NUL after the name', `{"username":"admin\\u0000","password":"${adminPassword}"}`, json],
    ['an escaped NUL after the password', `{"username":"admin","password":"${adminPassword}\\u0000"}`, json],
    ['half a surrogate pair after the password', `{"username":"admin","password":"${adminPassword}\\ud800"}`, json],
    ['a NUL in a form', `username=admin%00&password=${encodeURIComponent(adminPassword)}`, form],
    ['a form field twice', `username=x&username=admin&password=${encodeURIComponent(adminPassword)}`, form],
  ]
  for (const [sentence, raw, headers] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await server.call('POST', '/auth/login', { raw, headers })
      t.equal(answer.status, 400, answer.text)
      t.match(answer.body.data.reason, /^invalid_(request|credentials)$/)
      t.notMatch(answer.text, 'accessToken')
    })
  }
})

test('odd but harmless bodies never bring the service down', async (t) => {
  const server = await startServer(t)
  const password = encodeURIComponent(adminPassword)
  const rows: [sentence: string, body: string, headers: Record<string, string>][] = [
    ['deep nesting in an unknown field', `{${right},"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, json],
    ['a __proto__ field in a form', `username=admin&password=${password}&__proto__=1&constructor=1`, form],
    ['invalid UTF-8 in a form', `username=admin&password=${password}&x=%ff%fe`, form],
    ['a form of 20,000 fields', `username=admin&password=${password}${'&a=1'.repeat(15_000)}`, form],
    ['a form of separators', '&'.repeat(60_000), form],
  ]
  for (const [sentence, raw, headers] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await server.call('POST', '/auth/login', { raw, headers })
      t.ok(answer.status === 200 || answer.status === 400, `${answer.status} ${answer.text}`)
      t.same(Object.keys(answer.body).sort(), ['code', 'data', 'message', 'timestamp'])
      t.equal(answer.body.code, answer.status)
    })
  }
  t.equal((await server.call('GET', '/health/ready')).status, 200)
})

test('a body of 64 KiB is read and a larger one is refused', async (t) => {
  const server = await startServer(t)
  const limit = 64 * 1024
  const ofLength = (length: number) => `{"username":"${'a'.repeat(length - 15)}"}`
  const fits = await server.call('POST', '/auth/login', { raw: ofLength(limit), headers: json })
  expectProblem(t, fits, 'invalid_request', ['username'])
  const chunk = `8000\r\n${'a'.repeat(0x8000)}\r\n`
  const chunked = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  const rows: [sentence: string, path: string, body: string, headers: Record<string, string>][] = [
    ['one byte more', '/auth/login', ofLength(limit + 1), json],
    ['a large form', '/auth/login', `username=${'a'.repeat(limit)}`, form],
    ['for signing out', '/auth/logout', ofLength(2 * limit), json],
    ['for a refresh', '/auth/refreshToken', ofLength(2 * limit), json],
  ]
  for (const [sentence, path, raw, headers] of rows) {
    await t.test(sentence, async (t) => {
      expectProblem(t, await server.call('POST', path, { raw, headers }), 'payload_too_large')
    })
  }
  const inPieces = await sendBytes(server, request('POST /auth/login', chunked, `${chunk.repeat(3)}0\r\n\r\n`))
  expectProblem(t, inPieces, 'payload_too_large')
})

test('a body that is neither JSON nor a form is refused', async (t) => {
  const server = await startServer(t)
  const types = [
    'text/plain',
    'text/html',
    'application/xml',
    'application/octet-stream',
    'application/vnd.api+json',
    'multipart/form-data; boundary=x',
    'rubbish',
    '/',
    '',
  ]
  for (const type of types) {
    await t.test(`as ${type === '' ? 'nothing' : type}`, async (t) => {
      const headers = { 'Content-Length': '2', ...(type === '' ? {} : { 'Content-Type': type }) }
      expectProblem(t, await sendBytes(server, request('POST /auth/login', headers, '{}')), 'unsupported_media_type')
    })
  }
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"']) {
    const answer = await server.call('POST', '/auth/login', { raw: `{${right}}`, headers: { 'content-type': type } })
    t.equal(answer.status, 200, type)
  }
})
