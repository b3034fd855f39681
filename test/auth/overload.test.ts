import { test, type Test } from 'tap'
import { parallel, tally } from '../helpers/compare.js'
import { expectProblem, expectSuccess } from '../helpers/expect.js'
import { adminPassword, startServer, type TestServer } from '../helpers/server.js'

const start = (t: Test) =>
  startServer(t, {
    settings: { captcha: { mode: 'never' }, passwords: { queueLength: 1 }, lockout: { nameFailures: 100 } },
  })
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
