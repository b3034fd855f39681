import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type CallOptions } from '../../helpers/service/server.js'
import { request, sendBytes } from '../../helpers/load/socket.js'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

test('signing out ends the session at once, in every form that clients send', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, options: CallOptions][] = [
    ['an empty object', { json: {} }],
    ['no body and no content type', {}],
    ['a form type without a body', { headers: form }],
    ['a JSON type without a body', { headers: json }],
    ['JSON null', { json: null }],
    ['unknown fields', { json: { userClient: 'pc', token: 'x' } }],
    ['a query', { query: 'redirect=%2Flogin' }],
  ]
  for (const [sentence, options] of rows) {
    await t.test(sentence, async (t) => {
      const { accessToken: token } = await server.signIn()
      const answer = await server.call('POST', '/auth/logout', { ...options, token })
      t.equal(expectSuccess(t, answer), null)
      expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')
      expectProblem(t, await server.call('POST', '/auth/refreshToken', { token }), 'session_revoked')
      expectSuccess(t, await server.call('POST', '/auth/logout', { ...options, token }))
    })
  }
})

test('Content-Length: 0 with a form type is no body', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  const headers = {
    Authorization: `Bearer ${accessToken}`,
    'Content-Type': form['content-type'],
    'Content-Length': '0',
  }
  const answer = await sendBytes(server, request('POST /auth/logout', headers))
  t.equal(expectSuccess(t, answer), null)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: accessToken }), 'session_revoked')
})

test('S4: signing out succeeds when there is nothing to end', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  await server.call('POST', '/auth/logout', { token: accessToken })
  const rows: [sentence: string, headers: Record<string, string>][] = [
    ['no token', {}],
    ['an ended session', { authorization: `Bearer ${accessToken}` }],
    ['garbage', { authorization: 'Bearer garbage' }],
    ['an altered token', { authorization: `Bearer ${accessToken.slice(0, -4)}AAAA` }],
    ['another scheme', { authorization: 'Basic YWRtaW46YWRtaW4=' }],
    ['an empty header', { authorization: '' }],
    ['the word null', { authorization: 'Bearer null' }],
  ]
  for (const [sentence, headers] of rows) {
    await t.test(sentence, async (t) => {
      for (const options of [{ headers }, { headers, json: {} }]) {
        const answer = await server.call('POST', '/auth/logout', options)
        t.equal(expectSuccess(t, answer), null)
        t.equal(answer.headers.get('www-authenticate'), null)
      }
    })
  }
})

test('an expired token still ends its session', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  server.clock.advance(1800)
  expectSuccess(t, await server.call('POST', '/auth/logout', { token }))
  expectProblem(t, await server.call('POST', '/auth/refreshToken', { token }), 'session_revoked')
})

test('S4: every token of a session ends with it, and no other session does', async (t) => {
  const server = await startServer(t)
  const [own, other] = [await server.signIn(), await server.signIn()]
  const refreshed = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: own.accessToken }))
  expectSuccess(t, await server.call('POST', '/auth/logout', { token: own.accessToken }))
  for (const { accessToken: token } of [own, refreshed]) {
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')
    expectProblem(t, await server.call('POST', '/auth/refreshToken', { token }), 'session_revoked')
  }
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: other.accessToken }))
})

test('a body that cannot be read does not keep anybody signed in', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, type: string, raw: string][] = [
    ['JSON that is cut off', 'application/json', '{'],
    ['text', 'text/plain', 'bye'],
    ['XML', 'application/xml', '<bye/>'],
  ]
  for (const [sentence, type, raw] of rows) {
    await t.test(sentence, async (t) => {
      const { accessToken: token } = await server.signIn()
      const answer = await fetch(`${server.origin}/auth/logout`, {
        method: 'POST',
        body: raw,
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
      })
      t.ok(answer.status === 200 || (answer.status >= 400 && answer.status < 500), `status ${answer.status}`)
      const { code } = (await answer.json()) as { code: number }
      t.equal(code, answer.status)
    })
  }
})

test('the paths without the prefix do not exist', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  for (const path of ['/logout', '/refreshToken']) {
    expectProblem(t, await server.call('POST', path, { token }), 'not_found')
  }
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
})
