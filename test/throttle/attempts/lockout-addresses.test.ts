import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const wrong = 'wrong horse battery'
const start = (t: Test, lockout = {}) =>
  startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
    settings: { captcha: { mode: 'never' }, lockout, rateLimits: { signIn: 10_000 } },
  })
const login = (server: TestServer, address: string, username: string, password: string) =>
  server.call('POST', '/auth/login', { json: { username, password }, headers: { 'x-forwarded-for': address } })
const fail = async (t: Test, server: TestServer, address: string, count: number, username = 'admin') => {
  for (let index = 0; index < count; index++) {
    expectProblem(t, await login(server, address, username, wrong), 'invalid_credentials')
  }
}

test('L2: a stranger who fails elsewhere does not lock the owner out', async (t) => {
  const server = await start(t)
  await fail(t, server, '203.0.113.1', 5)
  expectProblem(t, await login(server, '203.0.113.1', 'admin', adminPassword), 'too_many_attempts')
  expectSuccess(t, await login(server, '198.51.100.7', 'admin', adminPassword))
})

test('L2: many strangers together are paused, for a time', async (t) => {
  const server = await start(t, { nameFailures: 3, nameFailuresAnywhere: 30 })
  for (let index = 0; index < 10; index++) await fail(t, server, `203.0.113.${index}`, 1)
  const refused = await login(server, '203.0.113.99', 'admin', adminPassword)
  expectProblem(t, refused, 'too_many_attempts')
  t.equal(refused.headers.get('retry-after'), '60')
  server.clock.advance(60)
  expectSuccess(t, await login(server, '203.0.113.99', 'admin', adminPassword))
})

test('tries of a paused address do not use up what other addresses have', async (t) => {
  const server = await start(t, { nameFailures: 3, nameFailuresAnywhere: 30 })
  await fail(t, server, '203.0.113.1', 3)
  for (let index = 0; index < 20; index++) {
    expectProblem(t, await login(server, '203.0.113.1', 'admin', wrong), 'too_many_attempts')
  }
  await fail(t, server, '203.0.113.2', 1)
  expectSuccess(t, await login(server, '203.0.113.2', 'admin', adminPassword))
})

test('an address that fails for many names is paused for every name', async (t) => {
  const server = await start(t, { addressFailures: 6 })
  for (let index = 0; index < 6; index++) await fail(t, server, '203.0.113.1', 1, `name-${index}`)
  expectProblem(t, await login(server, '203.0.113.1', 'admin', adminPassword), 'too_many_attempts')
  expectSuccess(t, await login(server, '198.51.100.7', 'admin', adminPassword))
})

test('a success of the own account buys an address no further guesses at others', async (t) => {
  const server = await start(t, { addressFailures: 6 })
  await server.addUser('mallory')
  for (let index = 0; index < 6; index++) {
    await fail(t, server, '203.0.113.1', 1, `name-${index}`)
    if (index < 5) expectSuccess(t, await login(server, '203.0.113.1', 'mallory', userPassword))
  }
  expectProblem(t, await login(server, '203.0.113.1', 'name-7', wrong), 'too_many_attempts')
})

test('a subscriber of IPv6 is one address, a whole /64', async (t) => {
  const server = await start(t)
  for (let index = 1; index <= 5; index++) await fail(t, server, `2001:db8:1:2::${index}`, 1)
  expectProblem(t, await login(server, '2001:db8:1:2:ffff::1', 'admin', adminPassword), 'too_many_attempts')
  expectSuccess(t, await login(server, '2001:db8:1:3::1', 'admin', adminPassword))
})

test('an IPv4 address is the same when it comes mapped into IPv6', async (t) => {
  const server = await start(t)
  await fail(t, server, '203.0.113.1', 3)
  await fail(t, server, '::ffff:203.0.113.1', 2)
  expectProblem(t, await login(server, '203.0.113.1', 'admin', adminPassword), 'too_many_attempts')
})

test('an operator lifts the pause wherever it was earned', async (t) => {
  const server = await start(t)
  for (const address of ['203.0.113.1', '203.0.113.2']) await fail(t, server, address, 5)
  await server.operator.unlock('admin')
  for (const address of ['203.0.113.1', '203.0.113.2']) {
    expectSuccess(t, await login(server, address, 'admin', adminPassword))
  }
})
