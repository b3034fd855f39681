import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { eventually } from '../../helpers/processes/process.js'
import { startFederation } from '../../helpers/peers/federation.js'
import { canStartRedis, skipped, startRedis, type RedisServer } from '../../helpers/databases/redis.js'
import { adminPassword, startServer, userPassword, type Answer, type TestServer } from '../../helpers/service/server.js'

const skip = (await canStartRedis()) ? false : skipped
const password = 'a-secret-word-of-redis'

/** How Redis fails, and how it is well again. */
const failures: Record<string, { fail: (redis: RedisServer) => unknown; heal: (redis: RedisServer) => unknown }> = {
  'has been stopped': { fail: (redis) => redis.stop(), heal: (redis) => redis.start() },
  'was killed': { fail: (redis) => redis.stop('SIGKILL'), heal: (redis) => redis.start() },
  hangs: { fail: (redis) => redis.pause(), heal: (redis) => redis.resume() },
  'has no memory left': {
    fail: (redis) => redis.run('config', 'set', 'maxmemory', '1'),
    heal: (redis) => redis.run('config', 'set', 'maxmemory', '0'),
  },
}

const start = async (t: Test) => {
  const redis = await startRedis(t, { password, parameters: ['--maxmemory-policy', 'noeviction'] })
  const server = await startServer(t, {
    settings: { redisUrl: redis.url, rateLimits: { enabled: true }, mail: { url: 'smtp://127.0.0.1:1' } },
    environment: { RATE_LIMITS: 'on' },
  })
  await server.addUser('alice')
  return { redis, server }
}

/** What needs short-lived state. */
const refused = (server: TestServer, token: string): Record<string, () => Promise<Answer>> => ({
  'a sign-in': () => server.call('POST', '/auth/login', { json: { username: 'alice', password: userPassword } }),
  'a sign-in with a wrong password': () =>
    server.call('POST', '/auth/login', { json: { username: 'alice', password: 'wrong green teapot' } }),
  'a captcha': () => server.call('GET', '/auth/captcha'),
  'a code by mail': () => server.call('POST', '/auth/captcha/email', { json: { email: 'alice@example.com' } }),
  'a forgotten password': () => server.call('POST', '/auth/password/forgot', { json: { email: 'alice@example.com' } }),
  'a social ticket': () =>
    server.call('POST', '/auth/login', { json: { authType: 'social', socialTicket: 'a'.repeat(64) } }),
  'a change of password': () =>
    server.call('POST', '/auth/changePassword', {
      token,
      json: { oldPassword: adminPassword, newPassword: 'another green teapot' },
    }),
})

const expectRefusals = async (t: Test, server: TestServer, token: string) => {
  for (const [what, ask] of Object.entries(refused(server, token))) {
    const begin = performance.now()
    const answer = await ask()
    t.match(answer, { status: 503 }, what)
    expectProblem(t, answer, 'unavailable')
    t.equal(answer.headers.get('retry-after'), '5')
    t.notMatch(answer.text, /accessToken|codeKey|redis|127\.0\.0\.1/i)
    t.ok(performance.now() - begin < 5000, `${what} is answered in time`)
  }
}

for (const [how, { fail, heal }] of Object.entries(failures)) {
  test(`while Redis ${how}, tokens are served and nobody signs in; afterwards all is well`, { skip }, async (t) => {
    const { redis, server } = await start(t)
    const { accessToken: token } = await server.signIn()
    const { accessToken: other } = await server.signIn('alice')
    const sessions = expectSuccess(t, await server.call('GET', '/auth/sessions', { token })).length
    await fail(redis)

    await expectRefusals(t, server, token)
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    expectSuccess(t, await server.call('GET', '/system/user/page', { token }))
    expectSuccess(t, await server.call('GET', '/system/overview', { token }))
    expectProblem(
      t,
      await server.call('GET', '/auth/userInfo', { token: `${token.slice(0, -9)}AAAAAAAAA` }),
      'token_invalid',
    )
    const next = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token })).accessToken
    expectSuccess(t, await server.call('POST', '/auth/logout', { token: other }))
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token: other }), 'session_revoked')
    t.equal(
      expectSuccess(t, await server.call('GET', '/auth/sessions', { token: next })).length,
      sessions,
      'no session',
    )
    const ready = await server.call('GET', '/health/ready')
    t.strictSame(expectSuccess(t, ready), { status: 'ok', redis: 'unavailable' })

    await heal(redis)
    await eventually('Redis to be used again', async () => {
      const { data } = (await server.call('GET', '/health/ready')).body
      return data.redis === 'ok' ? true : undefined
    })
    await server.signIn('alice')
    expectSuccess(t, await server.call('GET', '/auth/captcha'))
    await server.signIn()
    t.notMatch(server.log(), password, 'the password of Redis is not logged')
    t.notMatch(server.log(), 'internal_error')
  })
}

test('a sign-in elsewhere is not begun while Redis is down', { skip }, async (t) => {
  const redis = await startRedis(t)
  const { server, begin } = await startFederation(t, { settings: { redisUrl: redis.url } })
  expectSuccess(t, await begin('corporate'))
  await redis.stop()
  expectProblem(t, await begin('corporate'), 'unavailable')
  t.notMatch(server.log(), 'internal_error')
})
