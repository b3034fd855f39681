import { test, type Test } from 'tap'
import { fingerprint } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { bodyOf } from '../../helpers/peers/mail-server.js'
import { another, email, phone, startWithMessages } from '../../helpers/service/self-service.js'
import { userPassword, type ServerOptions } from '../../helpers/service/server.js'

const newEmail = 'alice@new.example'
const newPhone = '13900139000'

const start = async (t: Test, options: ServerOptions = {}) => {
  const started = await startWithMessages(t, options)
  const { server } = started
  const { accessToken: token } = await server.signIn('alice')
  const patch = (json: object, as = token) => server.call('PATCH', '/auth/profile', { json, token: as })
  const requestCode = (recipient: string, as = token) =>
    server.call('POST', '/auth/profile/code', { json: { recipient }, token: as })
  const profile = async () => {
    const { realName, gender, avatar, phone, email } = expectSuccess(
      t,
      await server.call('GET', '/auth/userInfo', { token }),
    )
    return { realName, gender, avatar, phone, email }
  }
  return { ...started, token, patch, requestCode, profile }
}
const initial = { realName: 'Alice Liddell', gender: 0, avatar: null, phone, email }

test('users change their name, gender and picture, and clear the picture', async (t) => {
  const { server, patch, profile } = await start(t)
  const avatar = 'data:image/png;base64,iVBORw0KGgo='
  const changed = expectSuccess(t, await patch({ realName: 'Alice', gender: 2, avatar }))
  t.match(changed, { realName: 'Alice', gender: 2, avatar, username: 'alice' })
  t.same(await profile(), { ...initial, realName: 'Alice', gender: 2, avatar })
  expectSuccess(t, await patch({ avatar: null }))
  t.equal((await profile()).avatar, null)
  const { records } = await server.app.audit.page(undefined, { action: 'user.profile' })
  t.match(records[1], { actorName: 'alice', targetName: 'alice', before: { gender: 0 }, after: { gender: 2 } })
})

test('what is not valid is refused by name, and changes nothing', async (t) => {
  const { patch, profile } = await start(t)
  const rows: [json: object, field: string][] = [
    [{ realName: null }, 'realName'],
    [{ realName: 'a\u0007b' }, 'realName'],
    [{ gender: 3 }, 'gender'],
    [{ avatar: 'http://example.com/a.png' }, 'avatar'],
    [{ avatar: 'data:image/svg+xml;base64,AAAA' }, 'avatar'],
    [{ avatar: 'javascript:alert(1)' }, 'avatar'],
    [{ avatar: `data:image/png;base64,${'A'.repeat(60_000)}` }, 'avatar'],
    [{ phone: '12', phoneCode: '123456' }, 'phone'],
    [{ email: 'nothing', emailCode: '123456' }, 'email'],
    [{ phone: newPhone }, 'phoneCode'],
    [{ email: newEmail }, 'emailCode'],
  ]
  for (const [json, field] of rows) expectProblem(t, await patch({ gender: 1, ...json }), 'invalid_request', [field])
  t.same(await profile(), initial)
})

test('a new e-mail address needs the code that was sent to it; the old address is told', async (t) => {
  const { server, mailServer, mailedCode, patch, requestCode, profile, alice } = await start(t)
  const code = await mailedCode(async () => expectSuccess(t, await requestCode(newEmail)))
  t.same(mailServer.mails[0]?.to, [newEmail])
  t.notMatch(bodyOf(mailServer.mails[0]?.raw ?? ''), /alice|Liddell/i, 'nothing that the sender chose')
  expectProblem(t, await patch({ email: newEmail, emailCode: another(code) }), 'invalid_code', ['emailCode'])
  t.same(await profile(), initial)
  const changed = expectSuccess(t, await patch({ email: newEmail, emailCode: code, gender: 1 }))
  t.equal(changed.email, newEmail)
  t.same(await profile(), { ...initial, email: newEmail, gender: 1 })
  const told = (await mailServer.waitFor(2))[1]
  t.same(told?.to, [email])
  t.match(bodyOf(told?.raw ?? ''), /e-mail address of your account alice was changed/)
  t.notMatch(told?.raw, newEmail)
  t.ok(await server.app.db.verifiedContacts.isVerified(alice.id, { kind: 'email', text: newEmail }))
  const { records } = await server.app.audit.page(undefined, { action: 'user.contact' })
  t.match(records, [{ actorName: 'alice', before: { email }, after: { email: newEmail } }])
})

test('a new phone number is told to the old one and by mail', async (t) => {
  const { server, gateway, mailServer, textMessages, patch, requestCode } = await start(t)
  expectSuccess(t, await requestCode(newPhone))
  await gateway.waitFor(1)
  const code = textMessages()[0]?.code ?? ''
  expectSuccess(t, await patch({ phone: newPhone, phoneCode: code }))
  await server.app.close()
  t.match(textMessages()[1], { phone: '+8613800138000', text: /phone number of your account alice was changed/ })
  t.notOk('code' in (textMessages()[1] ?? {}))
  t.same(
    mailServer.mails.map(({ to }) => to),
    [[email]],
  )
})

test('both contacts change or none: a wrong code for one uses up neither', async (t) => {
  const { gateway, textMessages, mailedCode, patch, requestCode, profile } = await start(t)
  const emailCode = await mailedCode(() => requestCode(newEmail))
  await requestCode(newPhone)
  await gateway.waitFor(1)
  const phoneCode = textMessages()[0]?.code ?? ''
  const both = { email: newEmail, phone: newPhone, phoneCode, emailCode }
  expectProblem(t, await patch({ ...both, emailCode: another(emailCode) }), 'invalid_code', ['emailCode'])
  t.same(await profile(), initial)
  expectSuccess(t, await patch(both))
  t.same(await profile(), { ...initial, email: newEmail, phone: newPhone })
})

test('a code is good for the user who asked, the exact address and this purpose only, and once', async (t) => {
  const { server, mailedCode, patch, requestCode, post, profile } = await start(t)
  await server.addUser('bob')
  const { accessToken: bob } = await server.signIn('bob')
  const code = await mailedCode(() => requestCode('strasse@new.example'))
  expectProblem(t, await patch({ email: 'strasse@new.example', emailCode: code }, bob), 'invalid_code')
  expectProblem(t, await patch({ email: 'straße@new.example', emailCode: code }), 'invalid_code')
  const login = { authType: 'email_captcha', email: 'strasse@new.example', code }
  expectProblem(t, await post('/auth/login', login), 'invalid_code')
  const reset = { recipient: 'strasse@new.example', code, newPassword: 'violet umbrella stand' }
  expectProblem(t, await post('/auth/password/reset', reset), 'invalid_code')
  expectSuccess(t, await patch({ email: 'strasse@new.example', emailCode: code }))
  expectSuccess(t, await patch({ email: null }))
  expectProblem(t, await patch({ email: 'strasse@new.example', emailCode: code }), 'invalid_code')
  t.equal((await profile()).email, null)
})

test('that another user has the contact does not show before the right code', async (t) => {
  const { server, patch, requestCode } = await start(t)
  await server.addUser('bob', { email: 'bob@example.com' })
  const recipients = ['nobody@example.com', 'bob@example.com']
  for (const recipient of recipients)
    t.match(expectSuccess(t, await requestCode(recipient)), { status: 'success', interval: 60 })
  const answers = []
  for (const recipient of recipients) answers.push(fingerprint(await patch({ email: recipient, emailCode: '000000' })))
  t.same(answers[0], answers[1])
  t.equal(answers[0]?.status, 400)
})

test('whoever has the code of a taken contact learns that it is taken; the other tenant does not count', async (t) => {
  const { server, mailedCode, patch, requestCode, profile } = await start(t)
  const other = await server.operator.addTenant('Other')
  await server.addUser('bob', { email: 'bob@example.com' })
  await server.addUser('carol', { email: 'carol@example.com', tenantId: other.id })
  const code = await mailedCode(() => requestCode('bob@example.com'))
  expectProblem(t, await patch({ email: 'bob@example.com', emailCode: code }), 'invalid_request', ['email'])
  t.same(await profile(), initial)
  const free = await mailedCode(() => requestCode('carol@example.com'))
  expectSuccess(t, await patch({ email: 'carol@example.com', emailCode: free }))
})

test('contacts are changed and cleared with the password, or within ten minutes after the sign-in', async (t) => {
  const { server, mailServer, mailedCode, patch, requestCode, profile } = await start(t)
  server.clock.advance(601)
  const emailCode = await mailedCode(() => requestCode(newEmail))
  for (const json of [{ email: null }, { phone: null }, { email: newEmail, emailCode }])
    expectProblem(t, await patch(json), 'fresh_sign_in_required')
  expectProblem(t, await patch({ email: null, password: 'wrong' }), 'invalid_credentials')
  t.same(await profile(), initial)
  expectSuccess(t, await patch({ email: null, password: userPassword }))
  t.equal((await profile()).email, null)
  t.same((await mailServer.waitFor(2))[1]?.to, [email])
  expectSuccess(t, await patch({ gender: 1 }))
})

test('the whole profile may be sent back: unchanged contacts need no code', async (t) => {
  const { patch, profile, mailServer, server } = await start(t)
  expectSuccess(t, await patch({ ...initial, phone: '+86 138-0013-8000', gender: 1 }))
  t.same(await profile(), { ...initial, gender: 1 })
  await server.app.close()
  t.equal(mailServer.mails.length, 0)
})

test('the last contact of a user who can sign in by nothing else stays', async (t) => {
  const { server, mailedCode, post } = await start(t)
  await server.operator.addUser({ username: 'bob', email: 'bob@example.com', forcePasswordChange: false })
  const code = await mailedCode(() => post('/auth/captcha/email', { email: 'bob@example.com' }))
  const signIn = await post('/auth/login', { authType: 'email_captcha', email: 'bob@example.com', code })
  const token = expectSuccess(t, signIn).accessToken
  const answer = await server.call('PATCH', '/auth/profile', { json: { email: null }, token })
  expectProblem(t, answer, 'invalid_request', ['email'])
})

test('L7: wrong codes for a new contact are counted', async (t) => {
  const { mailedCode, patch, requestCode } = await start(t)
  const code = await mailedCode(() => requestCode(newEmail))
  const wrong = () => patch({ email: newEmail, emailCode: another(code) })
  for (let count = 0; count < 5; count++) expectProblem(t, await wrong(), 'invalid_code')
  expectProblem(t, await wrong(), 'too_many_attempts')
  expectProblem(t, await patch({ email: newEmail, emailCode: code }), 'too_many_attempts')
})

test('L8: a second code to the same contact waits, for every purpose', async (t) => {
  const { requestCode, post } = await start(t)
  expectSuccess(t, await requestCode(newEmail))
  expectProblem(t, await requestCode('ALICE@new.example'), 'too_many_requests')
  expectProblem(t, await post('/auth/captcha/email', { email: newEmail }), 'too_many_requests')
})

test('without a session, or before a required change of the password, the profile stays', async (t) => {
  const { server } = await start(t)
  expectProblem(t, await server.call('PATCH', '/auth/profile', { json: { gender: 1 } }), 'token_missing')
  await server.addUser('bob', { forcePasswordChange: true })
  const { accessToken: token } = await server.signIn('bob')
  const answer = await server.call('PATCH', '/auth/profile', { json: { gender: 1 }, token })
  expectProblem(t, answer, 'password_change_required')
  const code = await server.call('POST', '/auth/profile/code', { json: { recipient: newEmail }, token })
  expectProblem(t, code, 'password_change_required')
})
