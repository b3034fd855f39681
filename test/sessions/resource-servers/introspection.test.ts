import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { basic, reportsSecret, startWithReports, told } from '../../helpers/service/resource-server.js'
import type { TestServer } from '../../helpers/service/server.js'
import { decodeToken, es256, makeToken, ownKey } from '../../helpers/service/token.js'

test('a live token is active, with its claims and what its user may do now, without the envelope', async (t) => {
  const { server, ask } = await startWithReports(t)
  const alice = await server.addUser('alice', { email: 'alice@example.com' })
  const { accessToken } = await server.signIn('alice')
  const answer = await ask(accessToken)
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type'), /^application\/json/)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  const { claims } = decodeToken(accessToken)
  delete claims['gen']
  t.strictSame(told(answer), {
    active: true,
    token_type: 'Bearer',
    ...claims,
    acr: 'aal1',
    amr: ['pwd'],
    auth_time: server.clock.now() / 1000,
    username: 'alice',
    roles: [],
    permissions: [],
  })
  t.equal(claims['sub'], String(alice.id))
  t.notMatch(answer.text, /alice@example|password|gen"/)
})

test('roles and permissions are those of now, not those of the token', async (t) => {
  const { server, ask } = await startWithReports(t)
  await server.operator.addRole('editor', 'Editor', ['report:daily:read'])
  await server.addUser('alice')
  const { accessToken } = await server.signIn('alice')
  t.same(told(await ask(accessToken))['permissions'], [])
  await server.operator.assign('editor', 'alice')
  const after = told(await ask(accessToken))
  t.same([after['roles'], after['permissions']], [['editor'], ['report:daily:read']])
})

interface Row {
  sentence: string
  end: (server: TestServer, token: string) => Promise<unknown>
}
const endings: Row[] = [
  { sentence: 'its user has signed out', end: (server, token) => server.call('POST', '/auth/logout', { token }) },
  { sentence: 'the account is disabled', end: (server) => server.operator.setEnabled('alice', false) },
  {
    sentence: 'the password was reset by somebody else',
    end: (server) => server.operator.setPassword('alice', 'plain green teapot', { forcePasswordChange: true }),
  },
  { sentence: 'it has expired', end: async (server) => server.clock.advance(1801) },
]
for (const { sentence, end } of endings) {
  test(`a token is inactive as soon as ${sentence}, and nothing else is told`, async (t) => {
    const { server, ask } = await startWithReports(t)
    await server.addUser('alice')
    const { accessToken } = await server.signIn('alice')
    t.equal(told(await ask(accessToken))['active'], true)
    await end(server, accessToken)
    const answer = await ask(accessToken)
    t.equal(answer.status, 200)
    t.strictSame(told(answer), { active: false })
  })
}

test('what is no token of this service is inactive', async (t) => {
  const { server, ask } = await startWithReports(t)
  const { accessToken } = await server.signIn()
  const { header, claims } = decodeToken(accessToken)
  const signed = es256(await ownKey(server))
  const rows: Record<string, string> = {
    text: 'nothing',
    'several words': `${accessToken} ${accessToken}`,
    'a changed signature': `${accessToken.slice(0, -4)}AAAA`,
    'a token of another audience': makeToken(header, { ...claims, aud: 'others' }, signed),
    'a token of an unknown session': makeToken(header, { ...claims, sid: 'x'.repeat(22) }, signed),
    'a token without signature': makeToken({ alg: 'none', typ: 'at+jwt' }, claims, () => ''),
    'a very long text': 'x'.repeat(60_000),
  }
  for (const [name, token] of Object.entries(rows)) {
    const answer = await ask(token)
    t.equal(answer.status, 200, name)
    t.strictSame(told(answer), { active: false }, name)
  }
  t.equal(told(await ask(makeToken(header, claims, signed)))['active'], true, 'signed the same way, it is active')
})

test('a user who must change the password first has no active token', async (t) => {
  const { server, ask } = await startWithReports(t)
  await server.addUser('alice', { forcePasswordChange: true })
  const { accessToken: token } = await server.signIn('alice')
  t.strictSame(told(await ask(token)), { active: false })
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
})

test('asking for a token that was replaced ends its session, as using it does', async (t) => {
  const { server, ask } = await startWithReports(t)
  const { accessToken: first } = await server.signIn()
  const { accessToken: second } = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: first }))
  t.equal(told(await ask(second))['active'], true)
  server.clock.advance(11)
  t.equal(told(await ask(first))['active'], false)
  t.equal(told(await ask(second))['active'], false)
  t.match(server.log(), 'an old token was used again')
})

test('asking keeps the session from ending because it is not used', async (t) => {
  const { server, ask } = await startWithReports(t, {
    settings: { clients: { pc: { accessTtl: 3600, idleTtl: 900, maxTtl: 7200 } } },
  })
  const { accessToken } = await server.signIn()
  for (let times = 0; times < 3; times++) {
    server.clock.advance(800)
    t.equal(told(await ask(accessToken))['active'], true)
  }
  server.clock.advance(901)
  t.equal(told(await ask(accessToken))['active'], false)
})

test('a service with an audience of its own is told about tokens for it only', async (t) => {
  const { server, ask } = await startWithReports(t, {
    settings: {
      introspection: { clients: [{ id: 'reports', secret: reportsSecret, audience: 'reports' }] },
      clients: { app: { audiences: ['reports', 'maps'] } },
    },
  })
  const [pc, app] = [await server.signIn(), await server.signIn('admin', undefined, { userClient: 'app' })]
  t.strictSame(told(await ask(pc.accessToken)), { active: false })
  t.match(told(await ask(app.accessToken)), { active: true, aud: ['rollcall', 'reports', 'maps'] })
})

test('a request without a token, or with the token in the address, is refused', async (t) => {
  const { server } = await startWithReports(t)
  const { accessToken } = await server.signIn()
  const headers = { authorization: basic('reports', reportsSecret) }
  const query = { token: accessToken }
  for (const more of [{ form: {} }, { query, form: {} }, { query }]) {
    const answer = await server.call('POST', '/auth/introspect', { headers, ...more })
    t.match(answer, { status: 400, body: { data: { reason: 'invalid_request', violations: [{ field: 'token' }] } } })
  }
  t.equal((await server.call('GET', '/auth/introspect', { headers, query })).status, 405)
})
