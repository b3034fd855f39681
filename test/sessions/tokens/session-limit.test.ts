import { test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, type TestServer } from '../../helpers/service/server.js'

const limited = (maxSessions: number, onLimit: 'replace' | 'reject') => ({ clients: { pc: { maxSessions, onLimit } } })
const login = (server: TestServer, more = {}) =>
  server.call('POST', '/auth/login', { json: { username: 'admin', password: adminPassword, ...more } })
const use = (server: TestServer, token: string) => server.call('GET', '/auth/userInfo', { token })

test('S3: replace: the oldest session goes, and is told so', async (t) => {
  const server = await startServer(t, { settings: limited(2, 'replace') })
  const tokens: string[] = []
  for (let index = 0; index < 3; index++) {
    tokens.push((await server.signIn()).accessToken)
    server.clock.advance(1)
  }
  const [oldest = '', ...living] = tokens
  for (const [method, path] of [
    ['GET', '/auth/userInfo'],
    ['POST', '/auth/refreshToken'],
  ] as const) {
    const answer = await server.call(method, path, { token: oldest })
    expectProblem(t, answer, 'session_replaced')
    t.match(answer.body.message, /another device/)
    t.match(answer.headers.get('www-authenticate'), 'error="invalid_token"')
  }
  for (const token of living) expectSuccess(t, await use(server, token))
})

test('reject: a further sign-in is refused until one signs out', async (t) => {
  const server = await startServer(t, { settings: limited(2, 'reject') })
  const [first, second] = [await server.signIn(), await server.signIn()]
  const answer = await login(server)
  expectProblem(t, answer, 'session_limit_reached')
  t.notMatch(answer.text, 'accessToken')
  const wrong = await login(server, { password: 'wrong horse battery' })
  expectProblem(t, wrong, 'invalid_credentials')
  for (const { accessToken } of [first, second]) expectSuccess(t, await use(server, accessToken))
  await server.call('POST', '/auth/logout', { token: first.accessToken })
  expectSuccess(t, await login(server))
  expectProblem(t, await login(server), 'session_limit_reached')
})

test('S3: N+1 parallel sign-ins leave exactly N live, whatever the policy', async (t) => {
  for (const onLimit of ['replace', 'reject'] as const) {
    await t.test(onLimit, async (t) => {
      const server = await startServer(t, { settings: limited(3, onLimit) })
      const answers = await parallel(12, () => login(server))
      t.strictSame(tally(answers), onLimit === 'replace' ? { 200: 12 } : { 200: 3, session_limit_reached: 9 })
      const tokens = answers.filter(({ status }) => status === 200).map(({ body }) => String(body.data.accessToken))
      const outcomes = tally(await Promise.all(tokens.map((token) => use(server, token))))
      t.strictSame(outcomes, onLimit === 'replace' ? { 200: 3, session_replaced: 9 } : { 200: 3 })
    })
  }
})

test('each client kind and each user has a limit of its own', async (t) => {
  const clients = { pc: { maxSessions: 1 }, h5: { maxSessions: 1 } }
  const server = await startServer(t, { settings: { clients } })
  await server.addUser('alice')
  const sessions = [
    await server.signIn(),
    await server.signIn('admin', undefined, { userClient: 'h5' }),
    await server.signIn('alice'),
  ]
  for (const { accessToken } of sessions) expectSuccess(t, await use(server, accessToken))
})

test('sessions that have ended or expired take no room', async (t) => {
  const clients = { pc: { maxSessions: 1, onLimit: 'reject', idleTtl: 600, maxTtl: 3000 } }
  const server = await startServer(t, { settings: { clients } })
  const { accessToken: token } = await server.signIn()
  expectProblem(t, await login(server), 'session_limit_reached')
  server.clock.advance(601)
  expectSuccess(t, await login(server))
  expectProblem(t, await server.call('POST', '/auth/refreshToken', { token }), 'session_expired')
})

test('a refresh takes no further room', async (t) => {
  const server = await startServer(t, { settings: limited(2, 'replace') })
  const other = await server.signIn()
  server.clock.advance(1)
  let { accessToken: token } = await server.signIn()
  for (let index = 0; index < 5; index++) {
    token = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token })).accessToken
    expectSuccess(t, await use(server, token))
  }
  expectSuccess(t, await use(server, other.accessToken))
})
