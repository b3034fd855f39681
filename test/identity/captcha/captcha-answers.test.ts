import { test } from 'tap'
import { echo, solvedCaptcha } from '../../helpers/service/captcha.js'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, type TestServer } from '../../helpers/service/server.js'

const right = { authType: 'password_captcha', username: 'admin', password: adminPassword }
const start = (t: Parameters<typeof startServer>[0]) => startServer(t, { environment: echo })
const login = (server: TestServer, json: object) => server.call('POST', '/auth/login', { json: { ...right, ...json } })

test('L10: a captcha is good for one answer, whatever the outcome', async (t) => {
  const server = await start(t)
  const rows: [sentence: string, first: object, outcome: string][] = [
    ['a sign-in', {}, '200'],
    ['a wrong password', { password: 'wrong horse battery' }, 'invalid_credentials'],
    ['an unknown name', { username: 'nobody' }, 'invalid_credentials'],
    ['a wrong answer', { code: '0000' }, 'invalid_code'],
    ['a longer answer', { code: 'ACDFH' }, 'invalid_code'],
  ]
  for (const [sentence, first, outcome] of rows) {
    await t.test(`used up by ${sentence}`, async (t) => {
      const captcha = await solvedCaptcha(server)
      t.strictSame(tally([await login(server, { ...captcha, ...first })]), { [outcome]: 1 })
      expectProblem(t, await login(server, captcha), 'invalid_code')
      expectSuccess(t, await login(server, await solvedCaptcha(server)))
    })
  }
})

test('of 50 parallel sign-ins with one captcha exactly one passes', async (t) => {
  const server = await start(t)
  const captcha = await solvedCaptcha(server)
  const answers = await parallel(50, () => login(server, captcha))
  t.strictSame(tally(answers), { 200: 1, invalid_code: 49 })
})

test('upper and lower case are the same', async (t) => {
  const server = await start(t)
  for (const change of [(code: string) => code.toLowerCase(), (code: string) => code.toUpperCase()]) {
    const { codeKey, code } = await solvedCaptcha(server)
    expectSuccess(t, await login(server, { codeKey, code: change(code) }))
  }
})

test('a captcha lives for 300 seconds and not one more', async (t) => {
  const server = await start(t)
  const [early, late] = [await solvedCaptcha(server), await solvedCaptcha(server)]
  server.clock.advance(299.999)
  expectSuccess(t, await login(server, early))
  server.clock.advance(0.001)
  expectProblem(t, await login(server, late), 'invalid_code')
})

test('the life of a captcha follows the configuration', async (t) => {
  const server = await startServer(t, { environment: echo, settings: { captcha: { ttl: 60 } } })
  t.equal(expectSuccess(t, await server.call('GET', '/auth/captcha')).expiresIn, 60)
  const captcha = await solvedCaptcha(server)
  server.clock.advance(60)
  expectProblem(t, await login(server, captcha), 'invalid_code')
})

test('a key that is no captcha solves nothing and harms nothing', async (t) => {
  const server = await start(t)
  const { store } = server.app
  const other = JSON.stringify({ answer: 'ACDF' })
  for (const key of ['attempts:name:1', 'sms:13800138000', 'CAPTCHA:abc', ' captcha:abc'])
    await store.set(key, other, 9e5)
  const { codeKey, code } = await solvedCaptcha(server)
  const rows: [sentence: string, codeKey: string, code: string][] = [
    ['an unknown key', 'captcha:AAAAAAAAAAAAAAAAAAAAAA', code],
    ['a UUID', '123e4567-e89b-42d3-a456-426614174000', code],
    ['a counter', 'attempts:name:1', 'ACDF'],
    ['a code of another kind', 'sms:13800138000', 'ACDF'],
    ['another spelling', 'CAPTCHA:abc', 'ACDF'],
    ['a space before', ' captcha:abc', 'ACDF'],
    ['only the kind', 'captcha:', code],
    ['a pattern', 'captcha:%', code],
    ['the key with another case', codeKey.toUpperCase(), code],
    ['the key cut short', codeKey.slice(0, -1), code],
  ]
  for (const [sentence, key, submitted] of rows) {
    await t.test(sentence, async (t) => {
      expectProblem(t, await login(server, { codeKey: key, code: submitted }), 'invalid_code')
    })
  }
  t.equal(await store.get('attempts:name:1'), other, 'other keys are untouched')
  t.equal(await store.get('sms:13800138000'), other)
  expectSuccess(t, await login(server, { codeKey, code }))
})

test('leaving something out is no way round, and does not use the captcha up', async (t) => {
  const server = await start(t)
  const captcha = await solvedCaptcha(server)
  const { codeKey, code } = captcha
  const absent: [more: object, fields: string[]][] = [
    [{}, ['code', 'codeKey']],
    [{ code }, ['codeKey']],
    [{ codeKey }, ['code']],
    [{ codeKey, code: '' }, ['code']],
    [{ codeKey, code: null }, ['code']],
    [{ codeKey: '', code }, ['codeKey']],
  ]
  for (const [more, fields] of absent) expectProblem(t, await login(server, more), 'captcha_required', fields)
  const odd: [more: object, fields: string[]][] = [
    [{ codeKey, code: [code] }, ['code']],
    [{ codeKey: [codeKey], code }, ['codeKey']],
    [{ codeKey, code: { $ne: '' } }, ['code']],
    [{ codeKey, code: true }, ['code']],
    [{ codeKey, code: 0 }, ['code']],
  ]
  for (const [more, fields] of odd) expectProblem(t, await login(server, more), 'invalid_request', fields)
  expectSuccess(t, await login(server, captcha))
})

test('L10: a captcha asked for with a tenant is good for that tenant only', async (t) => {
  const server = await start(t)
  const other = await server.operator.addTenant('Other')
  await server.addUser('admin', { tenantId: other.id, password: adminPassword })
  const bound = (tenantId: number) => solvedCaptcha(server, { tenantId })
  expectSuccess(t, await login(server, await bound(1)))
  expectSuccess(t, await login(server, { ...(await bound(other.id)), tenantId: other.id }))
  const crossed = await bound(other.id)
  expectProblem(t, await login(server, crossed), 'invalid_code')
  expectProblem(t, await login(server, { ...crossed, tenantId: other.id }), 'invalid_code')
  expectProblem(t, await login(server, { ...(await bound(1)), tenantId: other.id }), 'invalid_code')
})

test('L10: guesses pass as seldom as chance allows', async (t) => {
  const server = await start(t)
  const answers = []
  for (let index = 0; index < 100; index++) {
    const { codeKey } = await solvedCaptcha(server)
    answers.push(await login(server, { codeKey, code: 'ACDF' }))
  }
  t.ok((tally(answers)['invalid_code'] ?? 0) >= 98)
})
