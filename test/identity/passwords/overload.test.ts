import { test, type Test } from 'tap'
import { createHashing } from '../../../plugins/identity/passwords/hashing.js'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, type TestServer } from '../../helpers/service/server.js'

const start = (t: Test) =>
  startServer(t, {
    settings: { captcha: { mode: 'never' }, passwords: { queueLength: 1 }, lockout: { nameFailures: 100 } },
  })
const stranger = { group: 'stranger', fairnessKey: '203.0.113.1' } as const
const login = (server: TestServer, username: string, password: string) =>
  server.call('POST', '/auth/login', { json: { username, password } })

test('more sign-ins than can be hashed are told to come back, and nobody gets in by it', async (t) => {
  const server = await start(t)
  const answers = await parallel(40, (index) => login(server, `name-${index}`, 'wrong horse battery'))
  const counts = tally(answers)
  t.same(Object.keys(counts).sort(), ['invalid_credentials', 'unavailable'])
  for (const answer of answers.filter(({ status }) => status === 503)) {
    expectProblem(t, answer, 'unavailable')
    t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/)
  }
  expectSuccess(t, await login(server, 'admin', adminPassword))
})

test('what was turned away does not count as a failure', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' }, passwords: { queueLength: 1 } } })
  const others = parallel(30, (index) => login(server, `name-${index}`, 'wrong horse battery'))
  const own = await parallel(4, () => login(server, 'admin', adminPassword))
  await others
  for (const { status } of own) t.ok(status === 200 || status === 503)
  for (let index = 0; index < 4; index++) {
    expectProblem(t, await login(server, 'admin', 'wrong horse battery'), 'invalid_credentials')
  }
  expectSuccess(t, await login(server, 'admin', adminPassword))
})

test('whoever has waited too long for a hash is told to come back, and leaves the queue', async (t) => {
  const hashing = createHashing({ memoryKiB: 19456, passes: 2, queueLength: 200, minLength: 8, initialDays: 30 }, 1)
  t.teardown(() => hashing.close())
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => hashing.hash('plain green teapot')))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  t.equal(refused.length, 40 - hashing.capacity, 'all but those that a thread has taken on')
  for (const { reason } of refused) t.match(reason, { code: 'unavailable', details: { retryAfter: 2 } })
  const stored = await hashing.hash('plain green teapot')
  t.ok(await hashing.verify(stored, 'plain green teapot', stranger))
  t.notOk(await hashing.verify(stored, 'plain green kettle', stranger))
})

test('hashes that are made together are answered each for itself, also beside one that fails', async (t) => {
  const hashing = createHashing(
    { memoryKiB: 19456, passes: 2, queueLength: 200, minLength: 8, initialDays: 30 },
    600_000,
  )
  t.teardown(() => hashing.close())
  const passwords = Array.from({ length: 12 }, (_, index) => `plain green teapot ${index}`)
  const stored = await Promise.all(passwords.map((password) => hashing.hash(password)))
  t.equal(new Set(stored).size, passwords.length)
  // Of the right form, but with a salt that is too short.
  const broken = '$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA'
  const questions = passwords.flatMap(
    (password, index): [stored: string, password: string, outcome: boolean | 'error'][] => [
      [stored[index] ?? '', password, true],
      [stored[index] ?? '', `${password}!`, false],
      [stored[(index + 1) % stored.length] ?? '', password, false],
      ...(index % 5 === 0 ? [[broken, password, 'error'] as [string, string, 'error']] : []),
    ],
  )
  const outcomes = await Promise.allSettled(
    questions.map(([reference, password]) => hashing.verify(reference, password, stranger)),
  )
  const seen = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'error'))
  t.same(
    seen,
    questions.map(([, , outcome]) => outcome),
  )
})
