import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { htmlOf, subjectOf } from '../../helpers/peers/mail-server.js'
import { codeIn, startWithMessages, type WithMessages } from '../../helpers/service/self-service.js'

const newPassword = 'violet umbrella stand'
const hour = 3600

const addWithoutPassword = ({ server }: WithMessages, contact: { email?: string; phone?: string }) =>
  server.operator.addUser({ username: 'bob', forcePasswordChange: false, ...contact })
const reset = ({ post }: WithMessages, recipient: string, code: string) =>
  post('/auth/password/reset', { recipient, code, newPassword })

test('an invited user sets the first password with the code of the invitation, within 24 hours', async (t) => {
  const started = await startWithMessages(t)
  const bob = await addWithoutPassword(started, { email: 'bob@example.com' })
  const text = await started.mailAfter(async () => t.equal(await started.server.app.oneTimeCodes.invite(bob), 'email'))
  t.match(text, /valid for 24 hours/)
  t.notMatch(text, /1,?440/)
  started.server.clock.advance(24 * hour - 1)
  expectSuccess(t, await reset(started, 'bob@example.com', codeIn(text)))
  expectSuccess(t, await started.post('/auth/login', { username: 'bob', password: newPassword }))
  expectProblem(t, await reset(started, 'bob@example.com', codeIn(text)), 'invalid_code')
})

test('the first own password is no alarm, the next one is', async (t) => {
  const started = await startWithMessages(t)
  const { server, mailServer, mailedCode, post } = started
  for (const name of ['bob', 'eve']) {
    const address = `${name}@example.com`
    const user = await server.operator.addUser({ username: name, email: address, forcePasswordChange: false })
    const invited = await mailedCode(() => server.app.oneTimeCodes.invite(user))
    const later = () => mailedCode(() => post('/auth/password/forgot', { recipient: address }))
    // Whoever comes too late asks for a code like anybody who has forgotten a password.
    if (name === 'eve') server.clock.advance(24 * hour)
    expectSuccess(t, await reset(started, address, name === 'eve' ? await later() : invited))
    const { length } = mailServer.mails
    server.clock.advance(60)
    expectSuccess(t, await reset(started, address, await later()))
    const mails = await mailServer.waitFor(length + 2)
    t.equal(subjectOf(mails.at(-1)?.raw ?? ''), 'Rollcall: Your password was changed / 密码已修改')
    t.equal(mails.length, length + 2, 'one for the code and one for the second password')
  }
  const subjects = mailServer.mails.map(({ raw }) => subjectOf(raw))
  t.equal(subjects.filter((subject) => subject.includes('password was changed')).length, 2)
  t.notOk(subjects.some((subject) => subject.includes('has a password now')))
})

test('an invitation ends after 24 hours', async (t) => {
  const started = await startWithMessages(t)
  const bob = await addWithoutPassword(started, { email: 'bob@example.com' })
  const code = await started.mailedCode(() => started.server.app.oneTimeCodes.invite(bob))
  started.server.clock.advance(24 * hour)
  expectProblem(t, await reset(started, 'bob@example.com', code), 'invalid_code')
})

test('a user without an e-mail address is invited by text message, in Chinese for Accept-Language: zh', async (t) => {
  const started = await startWithMessages(t)
  const bob = await addWithoutPassword(started, { phone: '13900139000' })
  t.equal(await started.server.app.oneTimeCodes.invite(bob, { acceptLanguage: 'zh-CN' }), 'sms')
  await started.gateway.waitFor(1)
  const [message] = started.textMessages()
  t.match(message?.text, /24 小时内有效/)
  expectSuccess(t, await reset(started, '13900139000', message?.code ?? ''))
})

test('a user whom no channel reaches is not invited', async (t) => {
  const started = await startWithMessages(t, { settings: { sms: { sender: 'none' } } })
  const bob = await addWithoutPassword(started, { phone: '13900139000' })
  t.equal(await started.server.app.oneTimeCodes.invite(bob), undefined)
})

test('codes that strangers ask for do not replace an invitation, and it does not sign in', async (t) => {
  const started = await startWithMessages(t)
  const { server, post, mailedCode } = started
  const bob = await addWithoutPassword(started, { email: 'bob@example.com' })
  const code = await mailedCode(() => server.app.oneTimeCodes.invite(bob))
  await server.app.oneTimeCodes.requestCode(
    await server.app.oneTimeCodes.ofTenant.find('email', 1),
    {
      purpose: 'password-reset',
      tenantId: 1,
      recipient: 'bob@example.com',
      subject: { kind: 'email', text: 'bob@example.com' },
      boundTo: '',
      findContact: async () => undefined,
    },
    {},
    { address: '192.0.2.7', acceptLanguage: undefined, devices: server.app.devices.of({}) },
  )
  const signIn = { authType: 'email_captcha', email: 'bob@example.com', code }
  expectProblem(t, await post('/auth/login', signIn), 'invalid_code')
  expectSuccess(t, await reset(started, 'bob@example.com', code))
})

test('an invited user who asks for a code, too, sets the password with either, from the same place', async (t) => {
  for (const used of ['asked for', 'invitation'] as const) {
    const started = await startWithMessages(t)
    const { server, post, mailedCode } = started
    const bob = await addWithoutPassword(started, { email: 'bob@example.com' })
    const invited = await mailedCode(() => server.app.oneTimeCodes.invite(bob))
    const asked = await mailedCode(() => post('/auth/password/forgot', { recipient: 'bob@example.com' }))
    const again = await mailedCode(() => server.app.oneTimeCodes.invite(bob))
    expectProblem(t, await reset(started, 'bob@example.com', invited), 'invalid_code')
    const code = used === 'asked for' ? asked : again
    server.clock.advance(used === 'invitation' ? hour : 1)
    expectSuccess(t, await reset(started, 'bob@example.com', code))
    for (const other of [asked, again]) expectProblem(t, await reset(started, 'bob@example.com', other), 'invalid_code')
  }
})

test('tries of the code that was asked for bound those of the invitation', async (t) => {
  const started = await startWithMessages(t, { settings: { oneTimeCodes: { tries: 3 } } })
  const { server, post, mailedCode } = started
  const bob = await addWithoutPassword(started, { email: 'bob@example.com' })
  await mailedCode(() => post('/auth/password/forgot', { recipient: 'bob@example.com' }))
  const invited = await mailedCode(() => server.app.oneTimeCodes.invite(bob))
  const wrong = invited === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 3; tries++)
    expectProblem(t, await reset(started, 'bob@example.com', wrong), 'invalid_code')
  expectProblem(t, await reset(started, 'bob@example.com', invited), 'invalid_code')
})

test('an invitation is void once the user has a password', async (t) => {
  const started = await startWithMessages(t)
  const { server } = started
  const bob = await addWithoutPassword(started, { email: 'bob@example.com' })
  const code = await started.mailedCode(() => server.app.oneTimeCodes.invite(bob))
  server.clock.advance(1)
  await server.operator.setPassword('bob', 'by the operator today', { forcePasswordChange: false })
  expectProblem(t, await reset(started, 'bob@example.com', code), 'invalid_code')
})

test('an administrator who adds a user without a password sends an invitation', async (t) => {
  const started = await startWithMessages(t)
  const { server } = started
  const token = (await server.signIn()).accessToken
  const add = (json: object) => server.call('POST', '/system/user', { token, json })
  expectProblem(t, await add({ username: 'bob' }), 'invalid_request', ['password'])
  const text = await started.mailAfter(async () => {
    expectSuccess(t, await add({ username: 'bob', email: 'bob@example.com' }))
  })
  expectSuccess(t, await reset(started, 'bob@example.com', codeIn(text)))
  const signedIn = expectSuccess(t, await started.post('/auth/login', { username: 'bob', password: newPassword }))
  t.equal(signedIn.forcePasswordChange, false)
})

const tenantRows = [
  ['en', 'Administrator invites you to Acme', 'Administrator invites you to Acme. Your user name there is bob.'],
  ['zh', 'Administrator 邀请您使用 Acme', 'Administrator 邀请您使用 Acme，您的用户名为 bob。'],
] as const
for (const [language, subject, sentence] of tenantRows)
  test(`an invitation says who invites, to what and until when, and leads to its page, in ${language}`, async (t) => {
    const publicUrl = 'https://id.example.com/iam'
    const started = await startWithMessages(t, {
      settings: { publicUrl, serviceName: 'Acme', timeZone: 'Asia/Shanghai', mail: { language } },
      time: Date.UTC(2026, 1, 1, 18, 5, 6),
    })
    const { server, mailServer, mailAfter } = started
    const { accessToken: token } = await server.signIn()
    const tenantId = (await server.operator.addTenant('Sales')).id
    const add = (json: object) =>
      mailAfter(() => server.call('POST', '/system/user', { token, json, headers: { 'accept-language': language } }))
    const text = await add({ username: 'bob', email: 'bob+1@example.com' })
    const code = codeIn(text.replace(/%\d\w/g, ''))
    t.match(text, sentence)
    t.match(text, '2026-02-03 02:05:06 (Asia/Shanghai)')
    const link = `${publicUrl}/sign-in/invited#recipient=bob%2B1%40example.com`
    t.same(text.match(/https?:\S+/g), [link])
    const [mail] = mailServer.mails
    t.equal(subjectOf(mail?.raw ?? ''), subject)
    t.same(htmlOf(mail?.raw ?? '').match(/href="[^"]*"/g), [`href="${link}"`], 'one button')
    t.notMatch(link, code)
    t.notMatch(text, 'Sales', 'no tenant where there is nothing to choose')

    const ofTenant = await add({ username: 'eve', email: 'eve@example.com', tenantId })
    t.match(ofTenant, language === 'en' ? 'invites you to Acme (Sales).' : '邀请您使用 Acme（Sales）')
    t.match(ofTenant, `${publicUrl}/sign-in/invited?tenant=${tenantId}#recipient=eve%40example.com`)
  })

test('without a channel for invitations a user needs a password, and the refusal says what would do instead', async (t) => {
  const rows: [sender: string, disabled: string[], contact: object, sentence: string][] = [
    ['log', [], {}, 'is needed, or an e-mail address or a phone number to which'],
    ['none', [], {}, 'is needed, or an e-mail address to which'],
    ['none', [], { phone: '13900139000' }, 'is needed, or an e-mail address to which'],
    ['log', ['email_captcha'], { email: 'bob@example.com' }, 'is needed, or a phone number to which'],
    ['none', ['email_captcha'], { email: 'bob@example.com' }, 'the tenant does not offer email_captcha'],
    ['none', ['email_captcha'], { phone: '13900139000' }, 'sms.sender is not set'],
  ]
  for (const [sender, disabled, contact, sentence] of rows) {
    const { server } = await startWithMessages(t, { settings: { sms: { sender } } })
    for (const method of disabled) await server.app.db.disabledMethods.add(1, [method])
    const { accessToken: token } = await server.signIn()
    const answer = await server.call('POST', '/system/user', { token, json: { username: 'bob', ...contact } })
    expectProblem(t, answer, 'invalid_request', ['password'])
    t.match(answer.body.data.violations, [{ message: sentence }])
    t.notOk(await server.app.db.users.findByUsername(1, 'bob'))
  }
})
