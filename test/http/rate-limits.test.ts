import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { adminPassword, startServer, type TestServer } from '../helpers/service/server.js'

const json = { username: 'admin', password: adminPassword }
const start = (t: Test, environment = {}, rateLimits = {}) =>
  startServer(t, { environment: { RATE_LIMITS: 'on', ...environment }, settings: { rateLimits } })

/** Asks without the fields, which is refused before any work; returns how many were looked at before the limit. */
const untilLimited = async (t: Test, server: TestServer, addresses: (index: number) => string | undefined) => {
  for (let index = 0; index < 100; index++) {
    const address = addresses(index)
    const headers: Record<string, string> = address === undefined ? {} : { 'x-forwarded-for': address }
    const answer = await server.call('POST', '/auth/login', { json: {}, headers })
    if (answer.status !== 429) {
      expectProblem(t, answer, 'invalid_request')
      continue
    }
    expectProblem(t, answer, 'too_many_requests')
    const seconds = Number(answer.headers.get('retry-after'))
    t.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`)
    t.strictSame(Object.keys(answer.body.data), ['reason'])
    return index
  }
  return 100
}

test('the 61st sign-in of an address in a minute is refused, right or wrong', async (t) => {
  const server = await start(t)
  t.equal(await untilLimited(t, server, () => undefined), 60)
  const answer = await server.call('POST', '/auth/login', { json })
  expectProblem(t, answer, 'too_many_requests')
  t.notMatch(answer.text, 'accessToken')
  expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
  expectSuccess(t, await server.call('GET', '/auth/captcha'))
})

test('L12: whoever invents forwarded addresses is limited all the same', async (t) => {
  const server = await start(t)
  t.equal(await untilLimited(t, server, (index) => `203.0.113.${index}`), 60)
})

test('behind a trusted proxy each address has its own limit', async (t) => {
  const server = await start(t, { TRUST_PROXY: '127.0.0.1' })
  t.equal(await untilLimited(t, server, (index) => `203.0.113.${index}`), 100)
  t.equal(await untilLimited(t, server, () => '198.51.100.7'), 60)
})

test('behind a trusted proxy only the address that the proxy saw counts', async (t) => {
  const server = await start(t, { TRUST_PROXY: '127.0.0.1' })
  t.equal(await untilLimited(t, server, (index) => `203.0.113.${index}, 198.51.100.7`), 60)
})

test('behind a trusted proxy that tells ports, and with words that are no addresses, nobody gets further limits', async (t) => {
  const server = await start(t, { TRUST_PROXY: '127.0.0.1' })
  t.equal(await untilLimited(t, server, (index) => `198.51.100.7:${1024 + index}`), 60)
  t.equal(await untilLimited(t, server, (index) => `198.51.100.7, word-${index}`), 60)
})

test('the limits follow the configuration, each for its endpoints', async (t) => {
  const server = await start(t, {}, { signIn: 2, captcha: 3, refresh: 4 })
  const { accessToken: token } = await server.signIn()
  const json = { oldPassword: 'wrong', newPassword: 'plain green teapot' }
  // The endpoints of one limit share it; the sign-in above is the first of its two.
  const rows: [limit: string, calls: [method: string, path: string, options: object][]][] = [
    ['captcha', Array.from({ length: 3 }, () => ['GET', '/auth/captcha', {}])],
    [
      'refresh',
      [
        ['POST', '/auth/refreshToken', { token }],
        ['POST', '/auth/refreshToken', { token }],
        ['POST', '/auth/logout', {}],
        ['POST', '/auth/logout', {}],
      ],
    ],
    ['signIn', [['POST', '/auth/changePassword', { token, json }]]],
  ]
  for (const [limit, calls] of rows) {
    await t.test(limit, async (t) => {
      for (const [method, path, options] of calls) t.not((await server.call(method, path, options)).status, 429)
      for (const [method, path, options] of calls) {
        const answer = await server.call(method, path, options)
        expectProblem(t, answer, 'too_many_requests')
        t.match(answer.headers.get('retry-after'), /^[1-9]\d?$/)
      }
    })
  }
})

test('what a signed-in person reads is not limited', async (t) => {
  const server = await start(t, {}, { signIn: 1, captcha: 1, refresh: 1 })
  const { accessToken: token } = await server.signIn()
  for (let index = 0; index < 30; index++) expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
})

test('off means off', async (t) => {
  const server = await startServer(t, { environment: { RATE_LIMITS: 'off' }, settings: { rateLimits: { signIn: 1 } } })
  t.equal(await untilLimited(t, server, () => undefined), 100)
})
