import { test } from 'tap'
import { echo, solvedCaptcha } from '../../helpers/service/captcha.js'
import { fingerprint } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

type Mode = 'always' | 'afterFailures' | 'never'
type Test = Parameters<typeof startServer>[0]

const start = (t: Test, mode: Mode, captcha = {}, environment = {}) =>
  startServer(t, {
    environment: { ...echo, ...environment },
    settings: { captcha: { mode, ...captcha }, rateLimits: { signIn: 1000, captcha: 1000 } },
  })
const login = (server: TestServer, json: object) =>
  server.call('POST', '/auth/login', { json: { username: 'admin', password: adminPassword, ...json } })
const fail = async (t: Test, server: TestServer, count: number, json: object = {}) => {
  for (let index = 0; index < count; index++) {
    expectProblem(t, await login(server, { ...json, password: 'wrong horse battery' }), 'invalid_credentials')
  }
}

test('always: no method signs in without a captcha', async (t) => {
  const server = await start(t, 'always')
  for (const authType of [undefined, '', 'password', 'password_captcha']) {
    await t.test(`authType ${String(authType)}`, async (t) => {
      expectProblem(t, await login(server, { authType }), 'captcha_required', ['code', 'codeKey'])
      const { codeKey } = await solvedCaptcha(server)
      expectProblem(t, await login(server, { authType, codeKey, code: 'x' }), 'invalid_code')
      expectSuccess(t, await login(server, { authType, ...(await solvedCaptcha(server)) }))
    })
  }
})

test('always: without the captcha nobody learns whether the password was right', async (t) => {
  const server = await start(t, 'always')
  const tries = [{}, { password: 'wrong horse battery' }, { username: 'nobody' }]
  const answers = []
  for (const json of tries) answers.push(JSON.stringify(fingerprint(await login(server, json))))
  t.equal(new Set(answers).size, 1)
  for (let index = 0; index < 20; index++) await login(server, { code: 'x', codeKey: 'captcha:x' })
  // Refused captchas lock nobody out.
  expectSuccess(t, await login(server, await solvedCaptcha(server)))
})

test('never: a password is enough, but password_captcha still means a captcha', async (t) => {
  const server = await start(t, 'never')
  await fail(t, server, 4)
  expectSuccess(t, await login(server, {}))
  expectProblem(t, await login(server, { authType: 'password_captcha' }), 'captcha_required', ['code', 'codeKey'])
  expectSuccess(t, await login(server, { authType: 'password_captcha', ...(await solvedCaptcha(server)) }))
})

test('afterFailures: three failures of a name ask for a captcha, by whatever authType', async (t) => {
  const server = await start(t, 'afterFailures')
  await server.addUser('alice')
  await fail(t, server, 3)
  for (const json of [{}, { authType: 'password' }, { username: 'ADMIN' }, { username: 'Ａdmin' }, { tenantId: '1' }]) {
    expectProblem(t, await login(server, json), 'captcha_required', ['code', 'codeKey'])
  }
  // Other names are not asked.
  expectSuccess(t, await login(server, { username: 'alice', password: userPassword }))
  expectSuccess(t, await login(server, await solvedCaptcha(server)))
  // A success starts afresh.
  expectSuccess(t, await login(server, {}))
})

test('afterFailures: two failures do not ask yet, and a success forgets them', async (t) => {
  const server = await start(t, 'afterFailures')
  for (let round = 0; round < 3; round++) {
    await fail(t, server, 2)
    expectSuccess(t, await login(server, {}))
  }
})

test('afterFailures: an unknown name is asked like a known one', async (t) => {
  const server = await start(t, 'afterFailures')
  await fail(t, server, 3)
  await fail(t, server, 3, { username: 'nobody' })
  const [known, unknown] = [await login(server, {}), await login(server, { username: 'nobody' })]
  expectProblem(t, known, 'captcha_required')
  t.strictSame(fingerprint(known), fingerprint(unknown))
})

test('afterFailures: failures are forgotten with time', async (t) => {
  const server = await start(t, 'afterFailures')
  await fail(t, server, 3)
  server.clock.advance(899)
  expectProblem(t, await login(server, {}), 'captcha_required')
  server.clock.advance(1)
  expectSuccess(t, await login(server, {}))
})

test('afterFailures: failures of one tenant do not count in another', async (t) => {
  const server = await start(t, 'afterFailures')
  const other = await server.operator.addTenant('Other')
  await server.addUser('admin', { tenantId: other.id, password: adminPassword })
  await fail(t, server, 3, { tenantId: other.id })
  expectProblem(t, await login(server, { tenantId: other.id }), 'captcha_required')
  expectSuccess(t, await login(server, {}))
})

test('afterFailures: an address that failed for many names is asked for every name', async (t) => {
  const server = await start(
    t,
    'afterFailures',
    { addressFailures: 4 },
    { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
  )
  for (let index = 0; index < 4; index++) await fail(t, server, 1, { username: `name-${index}` })
  expectProblem(t, await login(server, {}), 'captcha_required', ['code', 'codeKey'])
  expectProblem(t, await login(server, { username: 'nobody' }), 'captcha_required')
  const elsewhere = { headers: { 'x-forwarded-for': '203.0.113.9' } }
  const json = { username: 'admin', password: adminPassword }
  // Another address is not.
  expectSuccess(t, await server.call('POST', '/auth/login', { json, ...elsewhere }))
  expectSuccess(t, await login(server, await solvedCaptcha(server)))
})

test('the number of failures follows the configuration', async (t) => {
  const server = await start(t, 'afterFailures', { nameFailures: 1 })
  await fail(t, server, 1)
  expectProblem(t, await login(server, {}), 'captcha_required')
})
