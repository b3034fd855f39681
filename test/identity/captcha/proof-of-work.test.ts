import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { test, type Test } from 'tap'
import { parallel } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, type TestServer } from '../../helpers/service/server.js'

const start = (t: Test) => startServer(t, { settings: { captcha: { type: 'pow', powCost: 10, mode: 'always' } } })
const ask = async (t: Test, server: TestServer) => expectSuccess(t, await server.call('GET', '/auth/captcha'))

/** Does the work, as a widget in the browser would. */
const solve = async (challenge: any) => {
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
const signIn = (server: TestServer, code: string, codeKey: string) =>
  server.call('POST', '/auth/login', { json: { username: 'admin', password: adminPassword, code, codeKey } })

test('a proof of work stands in for the picture, once', async (t) => {
  const server = await start(t)
  const { codeKey, challenge, captchaType, image, code } = await ask(t, server)
  t.equal(captchaType, 'pow')
  t.equal(image, undefined)
  t.equal(code, undefined)
  t.match(expectSuccess(t, await server.call('GET', '/auth/loginConfig')), { captchaType: 'pow', enableCaptcha: true })
  const answer = await solve(challenge)
  expectSuccess(t, await signIn(server, answer, codeKey))
  expectProblem(t, await signIn(server, answer, codeKey), 'invalid_code')
})

test('a wrong proof is refused and uses the challenge up', async (t) => {
  const server = await start(t)
  const other = await ask(t, server)
  const wrong = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  const rows: [name: string, code: (challenge: object) => Promise<string> | string][] = [
    ['the work for another challenge', () => solve(other.challenge)],
    ['a challenge of the own making', () => solve({ ...other.challenge, keyPrefix: '0', cost: 1 })],
    ['a counter that is none', (challenge) => wrong({ challenge, solution: { counter: -1.5, derivedKey: '00' } })],
    [
      'a key that was not derived',
      (challenge) => wrong({ challenge, solution: { counter: 1, derivedKey: '00'.repeat(32) } }),
    ],
    ['no solution', (challenge) => wrong({ challenge })],
    ['not base64 of JSON', () => 'ABCD'],
  ]
  for (const [name, code] of rows) {
    await t.test(name, async (t) => {
      const { codeKey, challenge } = await ask(t, server)
      expectProblem(t, await signIn(server, await code(challenge), codeKey), 'invalid_code')
      expectProblem(t, await signIn(server, await solve(challenge), codeKey), 'invalid_code')
    })
  }
})

test('of 50 parallel tries with one proof exactly one passes', async (t) => {
  const server = await start(t)
  const { codeKey, challenge } = await ask(t, server)
  const answer = await solve(challenge)
  const answers = await parallel(50, () => signIn(server, answer, codeKey))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.notOk(answers.some(({ status }) => status >= 500))
})

test('a proof is good for 300 s', async (t) => {
  const server = await start(t)
  const { codeKey, challenge } = await ask(t, server)
  server.clock.advance(300)
  expectProblem(t, await signIn(server, await solve(challenge), codeKey), 'invalid_code')
})

test('an address that fails works more, others do not', async (t) => {
  const server = await startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
    settings: { captcha: { type: 'pow', powCost: 30_000, mode: 'never' }, lockout: { addressFailures: 200 } },
  })
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const costFor = async (address: string) =>
    expectSuccess(t, await server.call('GET', '/auth/captcha', from(address))).challenge.parameters.cost
  const fail = (count: number) =>
    parallel(count, (index) =>
      server.call('POST', '/auth/login', {
        ...from('203.0.113.1'),
        json: { username: `stranger${index}`, password: 'wrong horse battery' },
      }),
    )
  t.equal(await costFor('203.0.113.1'), 30_000)
  await fail(9)
  t.equal(await costFor('203.0.113.1'), 30_000)
  await fail(1)
  t.equal(await costFor('203.0.113.1'), 60_000, 'twice the work after ten failures')
  await fail(10)
  t.equal(await costFor('203.0.113.1'), 100_000, 'but no more than the service itself can check')
  t.equal(await costFor('198.51.100.7'), 30_000)
})
