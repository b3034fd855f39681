import { test, type Test } from 'tap'
import { createClient, RollcallError, type ClientOptions } from '../../../client/index.js'
import { addApiToken } from '../../helpers/service/api-tokens.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

/** A server and a signed-in client whose requests are listed. */
const start = async (t: Test, options: Partial<ClientOptions> = {}) => {
  const server = await startServer(t)
  const requests: string[] = []
  const watched: typeof fetch = (input, init) => {
    requests.push(`${init?.method ?? 'GET'} ${new URL(input).pathname}`)
    return fetch(input, init)
  }
  const signedOut: (string | undefined)[] = []
  const client = createClient({
    baseUrl: server.origin,
    fetch: watched,
    onSignedOut: ({ reason }) => signedOut.push(reason),
    ...options,
  })
  await client.signIn({ username: 'admin', password: adminPassword })
  requests.length = 0
  const count = (request: string) => requests.filter((other) => other === request).length
  return { server, client, requests, count, signedOut }
}

test('a signed-in client lists users, and is refused after it has signed out', async (t) => {
  const { client, requests } = await start(t)
  const page = await client.call('GET /system/user/page', { query: { pageSize: 5, username: undefined } })
  t.same([page.total, page.size, page.records[0]?.username], [1, 5, 'admin'])
  await client.signOut()
  t.equal(await client.token(), undefined)
  await t.rejects(client.call('GET /auth/userInfo'), { name: 'RollcallError', status: 401, reason: 'token_missing' })
  t.same(requests, ['GET /system/user/page', 'POST /auth/logout', 'GET /auth/userInfo'])
})

test('paths, queries and bodies are sent as they are meant', async (t) => {
  const { server, client } = await start(t)
  const { id } = await server.addUser('alice')
  await client.call('PATCH /system/user/{id}', { path: { id }, body: { realName: 'Alice & Bob = ä' } })
  const { records } = await client.call('GET /system/user/page', { query: { realName: '& Bob = ä' } })
  t.same(
    records.map(({ username }) => username),
    ['alice'],
  )
})

test('a change of a version that is no longer the present one is refused, and one of the present version is not', async (t) => {
  const versions: unknown[] = []
  const watched: typeof fetch = (input, init) => {
    versions.push(new Headers(init?.headers).get('if-match'))
    return fetch(input, init)
  }
  const { server, client } = await start(t, { fetch: watched })
  const { id } = await server.addUser('alice')
  const path = { id }
  const { updateTime } = await client.call('GET /system/user/{id}', { path })
  server.clock.advance(1)
  const changed = await client.call('PATCH /system/user/{id}', { path, ifMatch: updateTime, body: { remark: 'one' } })
  t.not(changed.updateTime, updateTime)
  await t.rejects(client.call('PATCH /system/user/{id}', { path, ifMatch: updateTime, body: { remark: 'two' } }), {
    name: 'RollcallError',
    status: 412,
    reason: 'changed_meanwhile',
  })
  t.equal((await client.call('GET /system/user/{id}', { path })).remark, 'one')
  const quoted = `"${updateTime}"`
  t.same(versions, [null, null, quoted, quoted, null], 'in quotes, as an entity tag (RFC 9110 8.8.3)')
})

test('fifty calls with an expired token cause one refresh, and all succeed', async (t) => {
  const { server, client, count, signedOut } = await start(t)
  const first = await client.token()
  server.clock.advance(1801)
  const results = await Promise.all(Array.from({ length: 50 }, () => client.call('GET /auth/userInfo')))
  t.same(new Set(results.map(({ username }) => username)), new Set(['admin']))
  t.equal(count('POST /auth/refreshToken'), 1)
  t.equal(count('GET /auth/userInfo'), 100, 'each is repeated once')
  t.not(await client.token(), first)
  t.same(signedOut, [])
  t.notMatch(server.log(), 'an old token was used again')
})

test('a token that another tab has exchanged is used without a second refresh', async (t) => {
  let kept: string | null = null
  const storage = { get: () => kept, set: (token: string | null) => void (kept = token) }
  const { server, client, count } = await start(t, { storage })
  const other = createClient({ baseUrl: server.origin, storage })
  server.clock.advance(1801)
  // The answer of the first try comes after the other tab has refreshed.
  const slow = createClient({
    baseUrl: server.origin,
    storage,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.status === 401) await other.call('GET /auth/userInfo')
      return response
    },
  })
  t.equal((await slow.call('GET /auth/userInfo')).username, 'admin')
  t.equal((await client.call('GET /auth/userInfo')).username, 'admin')
  t.equal(count('POST /auth/refreshToken'), 0)
})

test('when the session has ended, the token is removed once, without a refresh, and every call is refused', async (t) => {
  const { server, client, count, signedOut } = await start(t)
  await server.call('POST', '/auth/logout', { token: (await client.token()) ?? '' })
  const calls = Array.from({ length: 10 }, () => client.call('GET /auth/userInfo'))
  for (const result of await Promise.allSettled(calls))
    t.match(result, { status: 'rejected', reason: { status: 401, reason: 'session_revoked' } })
  t.equal(count('POST /auth/refreshToken'), 0)
  t.same(signedOut, ['session_revoked'])
  t.equal(await client.token(), undefined)
})

test('when a refresh is refused, the token is removed once, and every call is refused', async (t) => {
  const { server, client, count, signedOut } = await start(t)
  server.clock.advance(8 * 3600 + 1)
  const calls = Array.from({ length: 10 }, () => client.call('GET /auth/userInfo'))
  for (const result of await Promise.allSettled(calls))
    t.match(result, { status: 'rejected', reason: { status: 401, reason: /^(session|token)_expired$/ } })
  t.equal(count('POST /auth/refreshToken'), 1)
  t.same(signedOut, ['session_expired'])
})

test('a refresh that does not reach the service leaves the token alone', async (t) => {
  let isDown = true
  const { server, client, signedOut } = await start(t, {
    fetch: async (input, init) => {
      if (isDown && (input as string).endsWith('/auth/refreshToken')) throw new TypeError('fetch failed')
      return fetch(input, init)
    },
  })
  server.clock.advance(1801)
  await t.rejects(client.call('GET /auth/userInfo'), { name: 'TypeError', message: 'fetch failed' })
  t.same(signedOut, [])
  isDown = false
  t.equal((await client.call('GET /auth/userInfo')).username, 'admin')
})

test('a user who signs out during a refresh stays signed out', async (t) => {
  const { server, client } = await start(t, {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if ((input as string).endsWith('/auth/refreshToken')) await client.signOut()
      return response
    },
  })
  server.clock.advance(1801)
  await t.rejects(client.call('GET /auth/userInfo'), { name: 'RollcallError', status: 401 })
  t.equal(await client.token(), undefined)
})

test('refusals have status, reason, fields and the time to wait; a 403 or 400 is not repeated', async (t) => {
  const { server, client, requests } = await start(t)
  const wrong = await client
    .call('GET /system/user/page', { query: { orderByColumn: 'secret' } })
    .catch((error: unknown) => error)
  t.ok(wrong instanceof RollcallError)
  t.match(wrong, { status: 400, reason: 'invalid_request', violations: [{ field: 'orderByColumn' }] })
  t.equal(requests.length, 1)
  await t.rejects(client.signIn({ username: 'nobody', password: 'wrong' }), {
    name: 'RollcallError',
    status: 400,
    reason: 'invalid_credentials',
  })
  t.equal((await client.call('GET /auth/userInfo')).username, 'admin', 'a failed sign-in leaves the token alone')
  await server.app.close()
  await t.rejects(client.call('GET /auth/userInfo'), TypeError)
})

test('a refusal says how long to wait', async (t) => {
  const body = JSON.stringify({ code: 429, message: 'Too many', data: { reason: 'too_many_requests' }, timestamp: 0 })
  const answer = async () => new Response(body, { status: 429, headers: { 'retry-after': '7' } })
  const client = createClient({ baseUrl: 'http://localhost', fetch: answer })
  const error = await client.call('GET /auth/userInfo').catch((refusal: unknown) => refusal)
  t.match(error, { status: 429, reason: 'too_many_requests', message: 'Too many', retryAfter: 7 })
})

test('an answer that is not from Rollcall is an error with its status only', async (t) => {
  for (const [status, text] of [
    [502, '<html>Bad gateway</html>'],
    [200, '{"hello":"world"}'],
    [200, ''],
  ] as const) {
    const client = createClient({ baseUrl: 'http://localhost', fetch: async () => new Response(text, { status }) })
    await t.rejects(client.call('GET /auth/userInfo'), {
      name: 'RollcallError',
      status,
      reason: undefined,
      message: `The server has answered with status ${status}`,
    })
  }
})

test('an API token takes the place of a sign-in, and of one that has ended nothing is tried again', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('job')
  await server.operator.addRole('lister', 'Lister', ['system:user:list'])
  await server.operator.setRoles(id, ['lister'])
  const { token } = await addApiToken(server.app.db, server.clock, { id, tenantId: 1 })
  const requests: string[] = []
  const watched: typeof fetch = (input, init) => {
    requests.push(new URL(input).pathname)
    return fetch(input, init)
  }
  const client = createClient({ baseUrl: server.origin, token, fetch: watched })
  t.equal((await client.call('GET /system/user/page')).total, 2)
  await t.rejects(client.call('GET /auth/sessions'), {
    name: 'RollcallError',
    status: 403,
    reason: 'token_not_allowed',
  })
  await server.app.db.apiTokens.end(id, server.clock.now())
  await t.rejects(client.call('GET /system/user/page'), { name: 'RollcallError', status: 401, reason: 'token_ended' })
  t.same(requests, ['/system/user/page', '/auth/sessions', '/system/user/page'])
})
