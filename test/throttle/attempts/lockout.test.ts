import { test, type Test } from 'tap'
import { fingerprint, parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const wrong = 'wrong horse battery'
const start = (t: Test, lockout = {}, environment = {}) =>
  startServer(t, {
    environment,
    settings: { captcha: { mode: 'never' }, lockout, rateLimits: { signIn: 10_000 } },
  })
const login = (server: TestServer, username: string, password: string, more = {}, address?: string) =>
  server.call('POST', '/auth/login', {
    json: { username, password, ...more },
    headers: address === undefined ? {} : { 'x-forwarded-for': address },
  })
const fail = async (t: Test, server: TestServer, count: number, username = 'admin', more = {}, address?: string) => {
  for (let index = 0; index < count; index++) {
    expectProblem(t, await login(server, username, wrong, more, address), 'invalid_credentials')
  }
}
const expectPause = (t: Test, answer: Awaited<ReturnType<typeof login>>, seconds: number) => {
  expectProblem(t, answer, 'too_many_attempts')
  t.equal(answer.headers.get('retry-after'), String(seconds))
  t.match(answer.body.message, /wait/)
  t.strictSame(Object.keys(answer.body.data), ['reason'])
}

test('after five wrong tries from one address even the right password must wait', async (t) => {
  const server = await start(t)
  await fail(t, server, 5)
  expectPause(t, await login(server, 'admin', wrong), 60)
  expectPause(t, await login(server, 'admin', adminPassword), 60)
  server.clock.advance(59)
  expectPause(t, await login(server, 'admin', adminPassword), 1)
  server.clock.advance(1)
  expectSuccess(t, await login(server, 'admin', adminPassword))
})

test('each pause is twice as long as the one before, up to the longest', async (t) => {
  const server = await start(t, { nameFailures: 1, firstPause: 60, longestPause: 300 })
  for (const pause of [60, 120, 240, 300, 300]) {
    await t.test(`${pause} s`, async (t) => {
      await fail(t, server, 1)
      expectPause(t, await login(server, 'admin', adminPassword), pause)
      server.clock.advance(pause - 1)
      expectPause(t, await login(server, 'admin', adminPassword), 1)
      server.clock.advance(1)
    })
  }
  expectSuccess(t, await login(server, 'admin', adminPassword))
  await fail(t, server, 1)
  expectPause(t, await login(server, 'admin', wrong), 60)
})

test('tries during a pause neither prolong it nor go unanswered', async (t) => {
  const server = await start(t)
  await fail(t, server, 5)
  for (let index = 0; index < 30; index++) expectProblem(t, await login(server, 'admin', wrong), 'too_many_attempts')
  server.clock.advance(60)
  expectSuccess(t, await login(server, 'admin', adminPassword))
})

test('L2: of 50 parallel wrong tries exactly five are told that they are wrong, the others how long to wait', async (t) => {
  const server = await start(t)
  await server.addUser('alice')
  const answers = await parallel(50, () => login(server, 'alice', wrong))
  t.strictSame(tally(answers), { invalid_credentials: 5, too_many_attempts: 45 })
  const pauses = answers.filter(({ status }) => status === 429).map(({ headers }) => headers.get('retry-after'))
  t.strictSame([...new Set(pauses)], ['60'])
  expectProblem(t, await login(server, 'alice', userPassword), 'too_many_attempts')
})

test('L2: a right try among parallel wrong ones is answered only while it might have failed', async (t) => {
  const server = await start(t)
  await server.addUser('alice')
  const sessions = () => server.app.db.sessions.live(2, server.clock.now())
  // Hashed in the order in which they come, so that five others have been answered before.
  const answers = await parallel(50, (index) => login(server, 'alice', index < 40 ? wrong : userPassword))
  t.strictSame(tally(answers), { invalid_credentials: 5, too_many_attempts: 45 })
  t.strictSame(await sessions(), [], 'nobody is signed in')
})

test('of 50 parallel right tries none is refused', async (t) => {
  const server = await startServer(t, { settings: { clients: { pc: { maxSessions: 100 } } } })
  t.strictSame(tally(await parallel(50, () => login(server, 'admin', adminPassword))), { 200: 50 })
})

test('a success starts afresh', async (t) => {
  const server = await start(t)
  for (const failures of [4, 3]) {
    await fail(t, server, failures)
    expectSuccess(t, await login(server, 'admin', adminPassword))
  }
})

test('failures are forgotten with time', async (t) => {
  const server = await start(t)
  await fail(t, server, 4)
  server.clock.advance(900)
  await fail(t, server, 3)
  expectSuccess(t, await login(server, 'admin', adminPassword))
})

test('L1: an unknown name behaves like a known one, answer by answer', async (t) => {
  const server = await start(t)
  await server.addUser('alice')
  for (let index = 0; index < 8; index++) {
    const [known, unknown] = [await login(server, 'alice', wrong), await login(server, 'ghost', wrong)]
    t.strictSame(fingerprint(known), fingerprint(unknown))
    t.equal(known.body.data.reason, index < 5 ? 'invalid_credentials' : 'too_many_attempts')
  }
})

test('one name is one name, however it is written', async (t) => {
  const server = await start(t)
  for (const username of ['admin', 'ADMIN', 'Admin', 'ａｄｍｉｎ', 'aDmIn']) await fail(t, server, 1, username)
  expectProblem(t, await login(server, 'admin', adminPassword), 'too_many_attempts')
})

test('the same name in another tenant is another name', async (t) => {
  const server = await start(t)
  const other = await server.operator.addTenant('Other')
  await server.addUser('admin', { tenantId: other.id })
  await fail(t, server, 5, 'admin', { tenantId: other.id })
  expectProblem(t, await login(server, 'admin', userPassword, { tenantId: other.id }), 'too_many_attempts')
  expectSuccess(t, await login(server, 'admin', adminPassword))
})

test('an operator lifts the pause, of this tenant only', async (t) => {
  const server = await start(t)
  const { operator } = server
  const other = await operator.addTenant('Other')
  await server.addUser('admin', { tenantId: other.id })
  await fail(t, server, 5)
  await fail(t, server, 5, 'admin', { tenantId: other.id })
  await operator.unlock('admin')
  expectSuccess(t, await login(server, 'admin', adminPassword))
  expectProblem(t, await login(server, 'admin', userPassword, { tenantId: other.id }), 'too_many_attempts')
  await fail(t, server, 5)
  expectPause(t, await login(server, 'admin', wrong), 60)
})

test('L3: choosing another authType or client kind is no way round', async (t) => {
  const server = await start(t)
  await fail(t, server, 5)
  const rows = [{ authType: 'password' }, { userClient: 'app' }, { userClient: 'wechat', tenantId: 1 }]
  for (const more of rows) expectProblem(t, await login(server, 'admin', adminPassword, more), 'too_many_attempts')
})
