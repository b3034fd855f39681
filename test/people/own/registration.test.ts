import { test, type Test } from 'tap'
import { fingerprint, parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { another, email, startWithMessages } from '../../helpers/service/self-service.js'
import type { ServerOptions } from '../../helpers/service/server.js'

const password = 'violet umbrella stand'
const address = 'bob@example.com'

const start = async (t: Test, registration: object = { mode: 'open' }, options: ServerOptions = {}) => {
  const started = await startWithMessages(t, { ...options, settings: { registration, ...options.settings } })
  const requestCode = (recipient = address, more = {}) => started.post('/auth/register/code', { recipient, ...more })
  const register = (code: string, more: object = {}) =>
    started.post('/auth/register', { username: 'bob', password, email: address, code, ...more })
  return {
    ...started,
    requestCode,
    register,
    codeFor: (recipient = address) => started.mailedCode(() => requestCode(recipient)),
  }
}

test('registration is closed by default', async (t) => {
  const { post, mailServer, server } = await startWithMessages(t)
  const fields = { username: 'bob', password, email: address, code: '123456' }
  expectProblem(t, await post('/auth/register/code', { recipient: address }), 'registration_closed')
  expectProblem(t, await post('/auth/register', fields), 'registration_closed')
  await server.app.close()
  t.equal(mailServer.mails.length, 0)
})

test('a stranger registers with a proved e-mail address, gets no token, and signs in as an ordinary user without roles', async (t) => {
  const { server, post, register, codeFor } = await start(t)
  const wanted = { realName: 'Bob', userType: 0, roleKeys: ['admin'], roles: ['admin'], userStatus: 1 }
  const answer = await register(await codeFor(), wanted)
  t.strictSame(Object.keys(expectSuccess(t, answer)).sort(), ['tenantId', 'userId', 'username'])
  t.notMatch(answer.text, /token/i)
  const { userInfo, forcePasswordChange } = expectSuccess(t, await post('/auth/login', { username: 'bob', password }))
  t.match(userInfo, { username: 'bob', realName: 'Bob', userType: 2, email: address, roleKeys: [], permissions: [] })
  t.equal(forcePasswordChange, false)
  t.ok(await server.app.db.verifiedContacts.isVerified(userInfo.userId, { kind: 'email', text: address }))
  const { records } = await server.app.audit.page(undefined, { action: 'user.register' })
  t.match(records, [{ actorName: 'bob', source: 'api', targetName: 'bob', after: { email: address } }])
  for (const secret of [password]) t.notMatch(JSON.stringify(records) + server.log(), secret)
})

test('a phone number may be proved instead', async (t) => {
  const { gateway, textMessages, requestCode, post } = await start(t)
  expectSuccess(t, await requestCode('13900139000'))
  await gateway.waitFor(1)
  const code = textMessages()[0]?.code ?? ''
  const fields = { username: 'bob', password, phone: '139 0013 9000', code }
  expectSuccess(t, await post('/auth/register', fields))
})

test('with a list of domains only their addresses may register', async (t) => {
  const { requestCode, register, codeFor, post } = await start(t, { mode: 'open', emailDomains: ['Example.com'] })
  for (const recipient of ['bob@example.org', 'bob@sub.example.com', 'bob@example.com.evil.example', '13900139000'])
    expectProblem(t, await requestCode(recipient), 'invalid_request', ['recipient'])
  const fields = { username: 'bob', password, code: '123456' }
  expectProblem(t, await post('/auth/register', { ...fields, email: 'b@example.org' }), 'invalid_request', [
    'recipient',
  ])
  expectProblem(t, await post('/auth/register', { ...fields, phone: '13900139000' }), 'invalid_request', ['recipient'])
  expectSuccess(t, await register(await codeFor()))
})

test('L1: a taken contact and a taken name show only after the right code, and the code is not used up by that', async (t) => {
  const { mailServer, requestCode, register, codeFor } = await start(t)
  const withoutKey = (text: string) => text.replace(/one-time-code:[\w-]{22}/, 'KEY')
  const [free, taken] = [fingerprint(await requestCode('nobody@example.com')), fingerprint(await requestCode(email))]
  t.same({ ...taken, text: withoutKey(taken.text) }, { ...free, text: withoutKey(free.text) })
  const wrong = (more: object) => register('000000', more)
  const answers = [
    fingerprint(await wrong({ email: 'nobody@example.com' })),
    fingerprint(await wrong({ email })),
    fingerprint(await wrong({ email: 'nobody@example.com', username: 'alice' })),
  ]
  for (const answer of answers) t.same(answer, answers[0])
  await mailServer.waitFor(2)
  const code = await codeFor()
  expectProblem(t, await register(code, { username: 'ALICE' }), 'invalid_request', ['username'])
  expectSuccess(t, await register(code))
})

test('one code allows five tries of user names', async (t) => {
  const { register, codeFor } = await start(t)
  const code = await codeFor()
  for (let count = 0; count < 5; count++)
    expectProblem(t, await register(code, { username: 'alice' }), 'invalid_request', ['username'])
  expectProblem(t, await register(code), 'invalid_code', ['code'])
})

test('whoever reads the mails of a taken address learns that it is taken', async (t) => {
  const { register, codeFor } = await start(t)
  expectProblem(t, await register(await codeFor(email), { email }), 'invalid_request', ['recipient'])
})

test('a code is good for one contact, tenant and purpose', async (t) => {
  const { server, post, register, codeFor } = await start(t, { mode: 'open', tenants: [1, 2] })
  const other = await server.operator.addTenant('Other')
  const code = await codeFor()
  expectProblem(t, await register(code, { tenantId: other.id }), 'invalid_code')
  expectProblem(t, await register(code, { email: 'eve@example.com' }), 'invalid_code')
  expectProblem(t, await register(code, { email: 'BOB@example.com' }), 'invalid_code')
  const reset = { recipient: address, code, newPassword: password }
  expectProblem(t, await post('/auth/password/reset', reset), 'invalid_code')
  expectSuccess(t, await register(code))
  expectProblem(t, await register(code, { username: 'bob2' }), 'invalid_code')
})

test('of 10 parallel registrations with one code exactly one adds a user', async (t) => {
  const { server, register, codeFor } = await start(t, { mode: 'open' }, { settings: { oneTimeCodes: { tries: 10 } } })
  const code = await codeFor()
  const before = await server.app.db.users.highestId()
  const answers = await parallel(10, (index) => register(code, { username: `bob${index}` }))
  t.equal(tally(answers)['200'], 1)
  t.equal(await server.app.db.users.highestId(), before + 1)
})

test('L7: wrong codes are counted', async (t) => {
  const { register, codeFor } = await start(t)
  const code = await codeFor()
  for (let count = 0; count < 5; count++) expectProblem(t, await register(another(code)), 'invalid_code')
  expectProblem(t, await register(code), 'too_many_attempts')
})

test('what is not valid is named before the code is tried', async (t) => {
  const { server, register, requestCode } = await start(t, { mode: 'open', tenants: [1, 2, 999] })
  const rows: [more: object, fields: string[]][] = [
    [{ username: 'a\u0007b' }, ['username']],
    [{ password: 'short' }, ['password']],
    [{ password: 'bob-bob-1' }, ['password']],
    [{ email: 'nothing' }, ['recipient']],
    [{ phone: '13900139000' }, ['recipient']],
    [{ email: null }, ['recipient']],
    [{ tenantId: 999 }, ['tenantId']],
    [{ username: null, password: null, code: null }, ['username', 'password', 'code']],
  ]
  for (const [more, fields] of rows) expectProblem(t, await register('123456', more), 'invalid_request', fields)
  expectProblem(t, await requestCode('nothing@'), 'invalid_request', ['recipient'])
  const other = await server.operator.addTenant('Other')
  await server.operator.setTenantEnabled(other.id, false)
  expectProblem(t, await register('123456', { tenantId: other.id }), 'tenant_disabled')
})

test('registration is open in the configured tenants only, and in the default tenant without that setting', async (t) => {
  const { server, mailServer, register, requestCode, codeFor } = await start(t)
  const { id: tenantId } = await server.operator.addTenant('Other')
  for (const tenant of [tenantId, 999]) {
    expectProblem(t, await requestCode(address, { tenantId: tenant }), 'registration_closed')
    expectProblem(t, await register('123456', { tenantId: tenant }), 'registration_closed')
  }
  t.equal(mailServer.mails.length, 0)
  expectSuccess(t, await register(await codeFor()))
})

test('a setting opens registration in another tenant', async (t) => {
  const { server, register, requestCode, mailedCode } = await start(t, { mode: 'open', tenants: [2] })
  const { id: tenantId } = await server.operator.addTenant('Other')
  t.equal(tenantId, 2)
  expectProblem(t, await requestCode(), 'registration_closed')
  const code = await mailedCode(() => requestCode(address, { tenantId }))
  t.match(expectSuccess(t, await register(code, { tenantId })), { tenantId })
})

/** Addresses whose domain looks like an allowed one, or is the same in another form. */
const domains: [sentence: string, domain: string, isAllowed: boolean][] = [
  ['a dotless i', 'ıntern.example', false],
  ['a sharp s', 'straße.example', false],
  ['ss for a sharp s', 'fuß.example', false],
  ['a final sigma', 'ς.example', false],
  ['capitals', 'INTERN.Example', true],
  ['the ASCII form', 'xn--mnchen-3ya.example', true],
  ['capitals of another script', 'MÜNCHEN.example', true],
]
for (const [sentence, domain, isAllowed] of domains) {
  test(`allowed domains are compared in their ASCII form: ${sentence}`, async (t) => {
    const emailDomains = ['intern.example', 'strasse.example', 'fuss.example', 'σ.example', 'münchen.example']
    const { register, requestCode, mailedCode } = await start(t, { mode: 'open', emailDomains })
    const recipient = `mallory@${domain}`
    if (!isAllowed) {
      expectProblem(t, await requestCode(recipient), 'invalid_request', ['recipient'])
      expectProblem(t, await register('123456', { email: recipient }), 'invalid_request', ['recipient'])
      return
    }
    const code = await mailedCode(() => requestCode(recipient))
    expectSuccess(t, await register(code, { email: recipient }))
  })
}
