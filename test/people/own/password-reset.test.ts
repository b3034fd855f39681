import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { userStatuses } from '../../../schemas/user.js'
import { fingerprint, parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { bodyOf } from '../../helpers/peers/mail-server.js'
import {
  another,
  codeIn,
  email,
  phone,
  startWithMessages,
  type WithMessages,
} from '../../helpers/service/self-service.js'
import { userPassword } from '../../helpers/service/server.js'

const newPassword = 'violet umbrella stand'

const forgot = ({ post }: WithMessages, recipient = email, more = {}) =>
  post('/auth/password/forgot', { recipient, ...more })
const reset = ({ post }: WithMessages, code: string, more = {}) =>
  post('/auth/password/reset', { recipient: email, code, newPassword, ...more })
const signIn = ({ post }: WithMessages, password: string, more = {}) =>
  post('/auth/login', { username: 'alice', password, ...more })

test('a forgotten password is replaced with the code out of the mail, once; all sessions end and the owner is told', async (t) => {
  const started = await startWithMessages(t)
  const { server, mailServer, mailedCode } = started
  const { accessToken } = await server.signIn('alice')
  const code = await mailedCode(() => forgot(started))
  t.match(code, /^\d{6}$/)
  t.strictSame(expectSuccess(t, await reset(started, code)), { username: 'alice' })
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: accessToken }), 'session_revoked')
  expectProblem(t, await signIn(started, userPassword), 'invalid_credentials')
  const { forcePasswordChange } = expectSuccess(t, await signIn(started, newPassword))
  t.equal(forcePasswordChange, false)
  expectProblem(t, await reset(started, code), 'invalid_code')
  const told = (await mailServer.waitFor(2))[1]
  t.same(told?.to, [email])
  t.match(bodyOf(told?.raw ?? ''), /The password of your account alice was changed/)
  t.notMatch(bodyOf(told?.raw ?? ''), newPassword)
})

test('a phone number gets the code by text message, however it is written', async (t) => {
  const started = await startWithMessages(t)
  expectSuccess(t, await forgot(started, '+86 138 0013 8000'))
  await started.gateway.waitFor(1)
  const [message] = started.textMessages()
  t.match(message?.text, /^Your code to set a new password/)
  expectSuccess(t, await reset(started, message?.code ?? '', { recipient: phone }))
  expectSuccess(t, await signIn(started, newPassword))
})

test('a password that had to be changed need not be changed after a reset', async (t) => {
  const started = await startWithMessages(t)
  await started.server.addUser('bob', { email: 'bob@example.com', forcePasswordChange: true })
  const code = await started.mailedCode(() => forgot(started, 'bob@example.com'))
  expectSuccess(t, await reset(started, code, { recipient: 'bob@example.com' }))
  const result = expectSuccess(t, await started.post('/auth/login', { username: 'bob', password: newPassword }))
  t.equal(result.forcePasswordChange, false)
})

test('L1: known, unknown and disabled recipients get the same answers and headers, and only the known one a message', async (t) => {
  const started = await startWithMessages(t)
  const { server, mailServer } = started
  await server.addUser('bob', { email: 'bob@example.com', userStatus: userStatuses.disabled })
  await server.addUser('eve', { email: 'eve@example.com', userStatus: userStatuses.locked })
  const recipients = ['nobody@example.com', 'bob@example.com', 'eve@example.com', email]
  const withoutKey = ({ text, ...rest }: ReturnType<typeof fingerprint>) => ({
    ...rest,
    text: text.replace(/one-time-code:[\w-]{22}/, 'KEY'),
  })
  const asked = []
  for (const recipient of recipients) asked.push(withoutKey(fingerprint(await forgot(started, recipient))))
  for (const answer of asked) t.same(answer, asked[0])
  t.equal(asked[0]?.status, 200)

  const code = codeIn(bodyOf((await mailServer.waitFor(1))[0]?.raw ?? ''))
  for (const round of [1, 2, 3, 4, 5, 6, 7]) {
    const tried = []
    for (const recipient of recipients) tried.push(fingerprint(await reset(started, another(code), { recipient })))
    for (const answer of tried) t.same(answer, tried[0], `try ${round}`)
  }
  await server.app.close()
  t.same(
    mailServer.mails.map(({ to }) => to),
    [[email]],
  )
})

test('L1: who has asked for no code learns from wrong codes neither who has an account nor who has been invited', async (t) => {
  const started = await startWithMessages(t)
  const { server } = started
  const invited = await server.operator.addUser({
    username: 'bob',
    email: 'bob@example.com',
    forcePasswordChange: false,
  })
  await started.mailAfter(() => server.app.oneTimeCodes.invite(invited))
  for (const round of [1, 2, 3, 4, 5]) {
    const tried = []
    for (const recipient of ['nobody@example.com', 'bob@example.com', email])
      tried.push(fingerprint(await reset(started, '000000', { recipient })))
    for (const answer of tried) t.same(answer, tried[0], `try ${round}`)
  }
})

test('a disabled account learns that it is disabled only with the right code', async (t) => {
  const started = await startWithMessages(t)
  const code = await started.mailedCode(() => forgot(started))
  await started.server.operator.setEnabled('alice', false)
  expectProblem(t, await reset(started, another(code)), 'invalid_code')
  expectProblem(t, await reset(started, code), 'account_disabled')
  await started.server.operator.setEnabled('alice', true)
  expectSuccess(t, await signIn(started, userPassword))
})

test('L6: a code is valid only for its purpose, recipient and tenant', async (t) => {
  const started = await startWithMessages(t)
  const { server, post, mailedCode } = started
  const other = await server.operator.addTenant('Other')
  await server.addUser('alice', { email, tenantId: other.id })
  await server.addUser('bob', { email: 'bob@example.com' })
  const resetCode = await mailedCode(() => forgot(started))
  server.clock.advance(60)
  const signInCode = await mailedCode(() => post('/auth/captcha/email', { email }))
  t.not(resetCode, signInCode)
  const login = (code: string) => post('/auth/login', { authType: 'email_captcha', email, code })
  expectProblem(t, await login(resetCode), 'invalid_code')
  expectProblem(t, await reset(started, signInCode), 'invalid_code')
  expectProblem(t, await reset(started, resetCode, { tenantId: other.id }), 'invalid_code')
  expectProblem(t, await reset(started, resetCode, { recipient: 'bob@example.com' }), 'invalid_code')
  expectSuccess(t, await login(signInCode))
  expectSuccess(t, await reset(started, resetCode))
})

test('L4: of 20 parallel resets with the right code exactly one sets its password', async (t) => {
  const started = await startWithMessages(t, {
    settings: { oneTimeCodes: { tries: 10 }, lockout: { nameFailures: 100 } },
  })
  const code = await started.mailedCode(() => forgot(started))
  const passwords = Array.from({ length: 20 }, (_, index) => `violet umbrella stand ${index}`)
  const answers = await parallel(20, (index) => reset(started, code, { newPassword: passwords[index] }))
  t.equal(tally(answers)['200'], 1)
  const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? ''
  expectSuccess(t, await signIn(started, winner))
})

test('L5, L7: wrong codes are counted across codes and purposes', async (t) => {
  const started = await startWithMessages(t)
  const { server, post, mailedCode } = started
  const first = await mailedCode(() => post('/auth/captcha/email', { email }))
  const tryToSignIn = () => post('/auth/login', { authType: 'email_captcha', email, code: another(first) })
  for (let count = 0; count < 3; count++) expectProblem(t, await tryToSignIn(), 'invalid_code')
  server.clock.advance(60)
  const code = await mailedCode(() => forgot(started))
  for (let count = 0; count < 2; count++) expectProblem(t, await reset(started, another(code)), 'invalid_code')
  expectProblem(t, await reset(started, code), 'too_many_attempts')
})

test('L8: codes of all purposes share the sending limits of a recipient', async (t) => {
  const started = await startWithMessages(t)
  expectSuccess(t, await started.post('/auth/captcha/email', { email }))
  const refused = await forgot(started, 'ALICE@example.com')
  expectProblem(t, refused, 'too_many_requests')
  t.equal(refused.headers.get('retry-after'), '60')
})

test('a reset does not end the wait for the next code', async (t) => {
  const started = await startWithMessages(t)
  const code = await started.mailedCode(() => forgot(started))
  expectSuccess(t, await reset(started, code))
  expectProblem(t, await forgot(started), 'too_many_requests')
})

test('a captcha is asked for before the code is sent, when the configuration says so', async (t) => {
  const started = await startWithMessages(t, {
    settings: { oneTimeCodes: { captcha: true } },
    environment: { ROLLCALL_DEV_ECHO: '1' },
  })
  expectProblem(t, await forgot(started), 'captcha_required', ['code', 'codeKey'])
  const { code, codeKey } = expectSuccess(t, await started.server.call('GET', '/auth/captcha'))
  expectSuccess(t, await forgot(started, email, { code, codeKey }))
})

test('a reset lifts the lockout of the user name', async (t) => {
  const started = await startWithMessages(t)
  for (let count = 0; count < 2; count++) expectProblem(t, await signIn(started, 'wrong'), 'invalid_credentials')
  const settings = started.server.app.installation.settings.lockout
  const subject = { kind: 'username', text: 'alice' } as const
  const limiter = () => started.server.app.attempts.limiterFor({ tenantId: 1, subject, address: '127.0.0.1' })
  t.equal((await limiter()).failures().name, 2)
  t.ok(settings.nameFailures > 2)
  const code = await started.mailedCode(() => forgot(started))
  expectSuccess(t, await reset(started, code))
  t.equal((await limiter()).failures().name, 0)
})

test('the password policy holds, names included, and a refused password does not use up the code', async (t) => {
  const started = await startWithMessages(t)
  const code = await started.mailedCode(() => forgot(started))
  for (const bad of ['short', 'password1', 'a'.repeat(129)])
    expectProblem(t, await reset(started, code, { newPassword: bad }), 'invalid_request', ['newPassword'])
  expectProblem(t, await reset(started, code, { newPassword: 'alice-alice-1' }), 'invalid_request', ['newPassword'])
  expectProblem(t, await reset(started, another(code), { newPassword: 'alice-alice-1' }), 'invalid_code')
  expectSuccess(t, await signIn(started, userPassword))
  expectSuccess(t, await reset(started, code))
})

test('a code is void when the password has been changed since', async (t) => {
  const started = await startWithMessages(t)
  const code = await started.mailedCode(() => forgot(started))
  started.server.clock.advance(1)
  await started.server.operator.setPassword('alice', 'by the operator today', { forcePasswordChange: false })
  expectProblem(t, await reset(started, code), 'invalid_code')
  expectSuccess(t, await signIn(started, 'by the operator today'))
})

test('a code is valid for 300 s and not a second longer', async (t) => {
  const started = await startWithMessages(t)
  const code = await started.mailedCode(() => forgot(started))
  started.server.clock.advance(300)
  expectProblem(t, await reset(started, code), 'invalid_code')
})

test('missing and malformed fields are named', async (t) => {
  const started = await startWithMessages(t)
  expectProblem(t, await started.post('/auth/password/forgot', {}), 'invalid_request', ['recipient'])
  expectProblem(t, await forgot(started, 'not an address@'), 'invalid_request', ['recipient'])
  expectProblem(t, await forgot(started, '12'), 'invalid_request', ['recipient'])
  const fields = ['recipient', 'code', 'newPassword']
  expectProblem(t, await started.post('/auth/password/reset', {}), 'invalid_request', fields)
})

test('a channel that the tenant has disabled, or that is not configured, resets no password', async (t) => {
  const started = await startWithMessages(t, { settings: { sms: { sender: 'none' } } })
  expectProblem(t, await forgot(started, phone), 'unsupported_auth_type')
  await started.server.app.login.ofTenant.change(operatorActor(), 1, { disable: ['email_captcha'], enable: [] })
  expectProblem(t, await forgot(started), 'unsupported_auth_type')
  expectProblem(t, await reset(started, '123456'), 'unsupported_auth_type')
})

test('L4, G1: neither the log nor the database holds the code or the password; wrong codes are in the login log', async (t) => {
  const started = await startWithMessages(t)
  const { server } = started
  const code = await started.mailedCode(() => forgot(started))
  expectProblem(t, await reset(started, another(code)), 'invalid_code')
  expectSuccess(t, await reset(started, code))
  for (const secret of [code, newPassword]) {
    t.notMatch(server.log(), secret)
    for (const file of readdirSync(server.directory).filter((name) => name.startsWith('rollcall.db')))
      t.notOk(readFileSync(join(server.directory, file)).includes(secret), file)
  }
  const entries = await server.app.loginLog.list({ refusedOnly: true, limit: 10 })
  t.match(entries, [{ authType: 'password_reset', subject: email, reason: 'invalid_code' }])
})
