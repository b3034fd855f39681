import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, firstStep } from '../../helpers/service/factors.js'
import { authenticatorOf } from '../../helpers/service/passkeys.js'
import { another, codeIn, email, phone, startWithMessages } from '../../helpers/service/self-service.js'
import { userPassword } from '../../helpers/service/server.js'

const required = { secondFactor: { policy: 'required', graceDays: 0 } }
const masked = { kind: 'email', masked: 'a******e@example.com' }

const start = async (t: Test, settings: object = {}, verified: ('email' | 'phone')[] = ['email']) => {
  const all = await startWithMessages(t, { settings: { ...required, ...settings } })
  const { server, alice, post } = all
  const texts = { email, phone: `+86${phone}` }
  for (const kind of verified)
    await server.app.accounts.writes.verifyContact(server.app.db, alice.id, { kind, text: texts[kind] })
  const refusal = async () => (await firstStep(server, 'alice')).body.data as { ticket: string; contact?: object }
  const begin = async (ticket: string, more: object = {}) =>
    expectSuccess(t, await post('/auth/factors/totp', { ticket, ...more }))
  const confirm = (ticket: string, { key, secret }: { key: string; secret: string }, more: object = {}) =>
    post('/auth/factors/totp/confirm', { ticket, key, code: codeAt(secret, server.clock.now()), ...more })
  return { ...all, refusal, begin, confirm }
}

test('with the password alone nobody sets a first factor up: the verified contact is proved, too', async (t) => {
  const { server, alice, post, mailAfter, refusal, begin, confirm } = await start(t)
  const { ticket, contact } = await refusal()
  t.strictSame(contact, masked)
  const begun = await begin(ticket)
  const refused = await confirm(ticket, begun)
  expectProblem(t, refused, 'contact_code_required')
  t.strictSame(refused.body.data.contact, masked)
  t.notMatch(refused.text, email)
  const mail = await mailAfter(async () => {
    const sent = expectSuccess(t, await post('/auth/factors/setup-code', { ticket }))
    t.strictSame(sent.contact, masked)
    t.match(sent, { interval: 60, expiresIn: 300, status: 'success' })
    t.notMatch(JSON.stringify(sent), email)
  })
  t.match(mail, /somebody may know your password/)
  const contactCode = codeIn(mail)
  expectProblem(t, await confirm(ticket, begun, { contactCode: another(contactCode) }), 'invalid_code', ['contactCode'])
  t.equal((await server.app.db.totpSecrets.ofUser(alice.id)).length, 0)
  const { session, recoveryCodes } = expectSuccess(t, await confirm(ticket, begun, { contactCode }))
  t.equal(recoveryCodes.length, 10)
  const { sessions } = server.app.db
  const [live] = await sessions.live(alice.id, server.clock.now())
  t.strictSame(live?.amr, ['pwd', 'otp', 'mfa'], 'the code to the contact is no factor')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: session.accessToken }))
})

test('a wrong code of the app needs no second code to the contact, and one for another ticket is none', async (t) => {
  const { post, mailedCode, refusal, begin, confirm, server } = await start(t)
  const { ticket } = await refusal()
  const contactCode = await mailedCode(() => post('/auth/factors/setup-code', { ticket }))
  const begun = await begin(ticket)
  const { ticket: other } = await refusal()
  const ofOther = await confirm(other, await begin(other), { contactCode })
  expectProblem(t, ofOther, 'invalid_code', ['contactCode'])
  const wrong = await post('/auth/factors/totp/confirm', { ticket, key: begun.key, code: '000000', contactCode })
  expectProblem(t, wrong, 'invalid_code')
  t.notOk(wrong.body.data.violations)
  expectSuccess(t, await confirm(ticket, begun))
  t.equal((await server.app.db.totpSecrets.ofUser(2)).length, 1)
})

test('a passkey asks for the code as well, and the code may come with its options', async (t) => {
  const { server, post, mailedCode, refusal } = await start(t)
  const { ticket } = await refusal()
  const authenticator = authenticatorOf(server)
  const optionsFor = (more: object = {}) => post('/auth/factors/passkey/options', { ticket, ...more })
  const early = authenticator.create(expectSuccess(t, await optionsFor()))
  expectProblem(t, await post('/auth/factors/passkey', { ticket, credential: early }), 'contact_code_required')
  const contactCode = await mailedCode(() => post('/auth/factors/setup-code', { ticket }))
  expectProblem(t, await optionsFor({ contactCode: another(contactCode) }), 'invalid_code', ['contactCode'])
  const credential = authenticator.create(expectSuccess(t, await optionsFor({ contactCode })))
  expectSuccess(t, await post('/auth/factors/passkey', { ticket, credential }))
})

test('a phone number gets the code where there is no verified e-mail address', async (t) => {
  const { post, refusal, begin, confirm, textMessages } = await start(t, {}, ['phone'])
  const { ticket, contact } = await refusal()
  t.match(contact, { kind: 'phone' })
  t.notMatch(JSON.stringify(contact), phone)
  expectSuccess(t, await post('/auth/factors/setup-code', { ticket }))
  let code: string | undefined
  while (code === undefined) {
    code = textMessages().at(-1)?.code
    await new Promise((resolve) => setImmediate(resolve))
  }
  expectSuccess(t, await confirm(ticket, await begin(ticket), { contactCode: code }))
})

test('nobody is asked without a verified contact, by the setting, and after a code to this contact', async (t) => {
  const plain = await start(t, {}, [])
  t.notOk((await plain.refusal()).contact)
  const off = await start(t, { secondFactor: { ...required.secondFactor, setupCode: false } })
  const { ticket, contact } = await off.refusal()
  t.notOk(contact)
  expectProblem(t, await off.post('/auth/factors/setup-code', { ticket }), 'unsupported_auth_type')
  expectSuccess(t, await off.confirm(ticket, await off.begin(ticket)))

  const byCode = await start(t)
  const code = await byCode.mailedCode(() => byCode.post('/auth/captcha/email', { email }))
  const first = await byCode.post('/auth/login', { authType: 'email_captcha', email, code })
  expectProblem(t, first, 'second_factor_setup_required')
  t.notOk(first.body.data.contact)
  expectSuccess(t, await byCode.confirm(first.body.data.ticket, await byCode.begin(first.body.data.ticket)))

  const reset = await start(t)
  const resetCode = await reset.mailedCode(() => reset.post('/auth/password/forgot', { recipient: email }))
  const json = { recipient: email, code: resetCode, newPassword: 'violet umbrella stand' }
  expectSuccess(t, await reset.post('/auth/password/reset', json))
  const signIn = () => firstStep(reset.server, 'alice', { json: { password: json.newPassword } })
  t.notOk((await signIn()).body.data.contact)
  reset.server.clock.advance(601)
  t.strictSame((await signIn()).body.data.contact, masked, 'for ten minutes')
  t.not(json.newPassword, userPassword)
})
