import { setTimeout } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { echo, solvedCaptcha } from '../../helpers/service/captcha.js'
import { parallel } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const home = '198.51.100.7'
const alice = { username: 'alice', password: userPassword }
const login = (server: TestServer, json: object = alice, headers: Record<string, string> = {}) =>
  server.call('POST', '/auth/login', { json, headers: { 'x-forwarded-for': home, ...headers } })

/** A server with a short queue, and the cookie of a device on which alice has signed in. */
const start = async (t: Test, mode: string) => {
  const server = await startServer(t, {
    environment: { ...echo, TRUST_PROXY: '127.0.0.1' },
    settings: { captcha: { mode }, passwords: { queueLength: 8 } },
  })
  await server.addUser('alice')
  const { headers } = await login(server)
  return { server, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/**
 * Keeps the queue full with hashes for strangers at so many addresses until the test ends, without the cost of sending
 * requests. Resolves when it is full, to the number of hashes that were refused so far.
 */
const flood = async (t: Test, { app: { passwords } }: TestServer, addresses: number): Promise<() => number> => {
  const hashesAtOnce = 40
  let isRunning = true
  let refused = 0
  const ended = parallel(hashesAtOnce, async (index) => {
    while (isRunning) {
      try {
        await passwords.verify(undefined, 'a wrong one', {
          group: 'stranger',
          fairnessKey: `203.0.113.${index % addresses}`,
        })
      } catch {
        refused++
        await setTimeout(5)
      }
    }
  })
  t.teardown(() => {
    isRunning = false
    return ended
  })
  while (refused === 0) await setTimeout(1)
  return () => refused
}

test('an address that fills the queue keeps others neither waiting nor out', async (t) => {
  const { server } = await start(t, 'never')
  const refused = await flood(t, server, 1)
  const before = refused()
  expectSuccess(t, await login(server))
  t.ok(refused() > before, 'the queue was full all the time')
})

test('a known device has places of its own, however many addresses fill the queue', async (t) => {
  const { server, cookie } = await start(t, 'never')
  await flood(t, server, 40)
  const outcomes = await parallel(5, () => login(server, alice, { cookie }))
  for (const outcome of outcomes) expectSuccess(t, outcome)
})

test('in a deep queue strangers solve a captcha before they wait; known devices do not', async (t) => {
  const { server, cookie } = await start(t, 'afterFailures')
  await flood(t, server, 40)
  expectSuccess(t, await login(server, alice, { cookie }))
  const elsewhere = { cookie: cookie.replace(/=.*/, '=made-up') }
  expectProblem(t, await login(server, alice, elsewhere), 'captcha_required', ['code', 'codeKey'])
  expectProblem(t, await login(server, { ...alice, code: 'x', codeKey: 'captcha:x' }), 'invalid_code')
  const outcomes = await parallel(5, async () => login(server, { ...alice, ...(await solvedCaptcha(server)) }))
  for (const outcome of outcomes) expectSuccess(t, outcome)
})

test('a live session changes its password, however many addresses fill the queue', async (t) => {
  const { server } = await start(t, 'never')
  const { accessToken } = await server.signIn('alice')
  await flood(t, server, 40)
  const json = { oldPassword: userPassword, newPassword: 'round blue saucepan' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token: accessToken, json }))
})
