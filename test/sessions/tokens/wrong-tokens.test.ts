import { test, type Test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, type ServerOptions } from '../../helpers/service/server.js'

const start = async (t: Test, options: ServerOptions = {}) => {
  const server = await startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
    settings: { rateLimits: { refresh: 10_000 } },
    ...options,
  })
  const { accessToken: token } = await server.signIn()
  const forged = `${token.slice(0, -4)}AAAA`
  const refresh = (token: string, address = '203.0.113.1') =>
    server.call('POST', '/auth/refreshToken', { token, headers: { 'x-forwarded-for': address } })
  return { server, token, forged, refresh }
}

test('of 120 parallel refreshes with a forged token 50 are refused and the others must wait', async (t) => {
  const { server, token, forged, refresh } = await start(t)
  t.same(tally(await parallel(120, () => refresh(forged))), { token_invalid: 50, too_many_attempts: 70 })
  const paused = await refresh(forged)
  expectProblem(t, paused, 'too_many_attempts')
  t.equal(paused.headers.get('retry-after'), '60')
  t.equal(paused.headers.get('www-authenticate'), null)
  expectProblem(t, await refresh('x.y.z'), 'too_many_attempts')
  expectProblem(t, await refresh(forged, '198.51.100.7'), 'token_invalid')
  t.comment('the neighbour at the same address is not signed out')
  expectSuccess(t, await refresh(token))
  server.clock.advance(60)
  for (let index = 0; index < 50; index++) expectProblem(t, await refresh(forged), 'token_invalid')
  const again = await refresh(forged)
  expectProblem(t, again, 'too_many_attempts')
  t.equal(again.headers.get('retry-after'), '120')
})

test('wrong tokens do not pause the sign-ins of their address, nor wrong passwords its refreshes', async (t) => {
  const { server, forged, refresh } = await start(t, {
    settings: { lockout: { addressFailures: 3 }, captcha: { mode: 'never' } },
  })
  for (let index = 0; index < 51; index++) await refresh(forged)
  const login = (username: string, password: string) =>
    server.call('POST', '/auth/login', { json: { username, password }, headers: { 'x-forwarded-for': '203.0.113.1' } })
  const { accessToken } = expectSuccess(t, await login('admin', adminPassword))
  for (const name of ['one', 'two', 'three']) await login(name, 'wrong horse battery')
  expectProblem(t, await login('admin', adminPassword), 'too_many_attempts')
  expectSuccess(t, await refresh(accessToken))
})

test('sessions that have ended and missing tokens are not counted', async (t) => {
  const { server, token, refresh } = await start(t)
  await server.call('POST', '/auth/logout', { token })
  for (let index = 0; index < 60; index++) {
    expectProblem(t, await refresh(token), 'session_revoked')
    expectProblem(t, await server.call('POST', '/auth/refreshToken'), 'token_missing')
  }
})

test('with the limits off nothing is counted', async (t) => {
  const { forged, refresh } = await start(t, { environment: {} })
  t.same(tally(await parallel(60, () => refresh(forged))), { token_invalid: 60 })
})
