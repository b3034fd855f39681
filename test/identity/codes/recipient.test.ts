import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { invalidField } from '../../../lib/problem.js'
import { violationTexts } from '../../../schemas/violations.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { email, phone, startWithMessages } from '../../helpers/service/self-service.js'
import { startServer } from '../../helpers/service/server.js'

test('whom a code goes to is the recipient; the words of earlier versions keep working', async (t) => {
  const { server, post, mailServer, gateway } = await startWithMessages(t)
  const next = () => server.clock.advance(3600)
  for (const json of [
    { recipient: email },
    { email },
    { recipient: email, email: 'other@example.com' },
    { recipient: '', email },
  ]) {
    const count = mailServer.mails.length
    expectSuccess(t, await post('/auth/captcha/email', json))
    t.same((await mailServer.waitFor(count + 1))[count]?.to, [email])
    next()
  }
  for (const query of [`recipient=${phone}`, `phone=${phone}`]) {
    const count = gateway.received.length
    expectSuccess(t, await server.call('POST', '/auth/captcha/sms', { query }))
    await gateway.waitFor(count + 1)
    next()
  }
  expectProblem(t, await post('/auth/captcha/email', {}), 'invalid_request', ['recipient'])
  expectProblem(t, await post('/auth/captcha/email', { recipient: 'nobody' }), 'invalid_request', ['recipient'])
  expectProblem(t, await post('/auth/captcha/sms', { email }), 'invalid_request', ['recipient'])
})

test('what is said of a phone number that cannot be read shows how one is written', async (t) => {
  const { post } = await startWithMessages(t, { settings: { registration: { mode: 'open' } } })
  const [code, phone] = ['123456', '12345']
  for (const [path, json] of [
    ['/auth/captcha/sms', { recipient: phone }],
    ['/auth/login', { authType: 'phone_captcha', phone, code }],
    ['/auth/password/forgot', { recipient: phone }],
    ['/auth/password/reset', { recipient: phone, code, newPassword: 'violet umbrella stand' }],
    ['/auth/register/code', { recipient: phone }],
  ] as const) {
    const { message } = (await post(path, json)).body
    t.match(message, /mobile number \(China\) such as [\d ]{11,}, or .* such as \+[\d ]+$/m, path)
  }
  // @ts-expect-error A text with parameters cannot be chosen without them.
  t.ok(invalidField('recipient', 'phone'))
})

for (const [rule, texts] of Object.entries(violationTexts))
  test(`the texts of ${rule} need the same parameters in each language`, (t) => {
    const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted()
    t.same(namesIn(texts.zh), namesIn(texts.en))
    t.end()
  })

test('so is whom a registration proves, and its faults name it', async (t) => {
  const settings = { registration: { mode: 'open' } }
  const { server, post, mailedCode } = await startWithMessages(t, { settings })
  const register = async (username: string, address: string, fields: object) => {
    server.clock.advance(3600)
    const code = await mailedCode(() => post('/auth/register/code', { recipient: address }))
    return post('/auth/register', { username, password: 'violet umbrella stand', code, ...fields })
  }
  expectSuccess(t, await register('bob', 'bob@example.com', { recipient: 'bob@example.com' }))
  expectSuccess(t, await register('eve', 'eve@example.com', { email: 'eve@example.com' }))
  const both = { email: 'dan@example.com', phone: '13900139000' }
  expectProblem(t, await register('dan', 'dan@example.com', both), 'invalid_request', ['recipient'])
  expectProblem(t, await register('dan', 'dan@example.com', { recipient: 'dan' }), 'invalid_request', ['recipient'])
  const taken = await register('carl', email, { recipient: email })
  expectProblem(t, taken, 'invalid_request', ['recipient'])
})

test('the document knows one word for it', (t) => {
  const text = readFileSync('openapi.json', 'utf8')
  const { components } = JSON.parse(text) as {
    components: { schemas: Record<string, { properties?: Record<string, object>; required?: string[] }> }
  }
  const requests = [
    'SmsCodeRequest',
    'EmailCodeRequest',
    'ForgotPasswordRequest',
    'ResetPasswordRequest',
    'ContactCodeRequest',
    'RegistrationCodeRequest',
    'RegistrationRequest',
  ]
  for (const name of requests) {
    const { properties = {}, required = [] } = components.schemas[name] ?? {}
    t.ok(required.includes('recipient'), name)
    t.notOk('phone' in properties || 'email' in properties, name)
  }
  t.notMatch(text, /former/i)
  t.end()
})

test('whoever adds a user without a password is told which setting is missing', async (t) => {
  const server = await startServer(t)
  const token = (await server.signIn()).accessToken
  const add = (json: object) =>
    server.call('POST', '/system/user', { token, json: { username: 'bob', realName: 'Bob', ...json } })
  const messageOf = async (json: object) => {
    const answer = await add(json)
    expectProblem(t, answer, 'invalid_request', ['password'])
    return answer.body.data.violations[0].message as string
  }
  t.match(await messageOf({ email: 'bob@example.com' }), /mail\.url \(SMTP_URL\) is not set/)
  t.match(await messageOf({ phone: '13900139000' }), /sms\.sender is not set/)
  t.match(await messageOf({}), /mail\.url \(SMTP_URL\) is not set/)

  const { server: other } = await startWithMessages(t)
  const otherToken = (await other.signIn()).accessToken
  const rows = [
    ['email_captcha', /or a phone number to which an invitation can be sent/],
    ['phone_captcha', /does not offer email_captcha/],
  ] as const
  for (const [method, message] of rows) {
    await other.app.management.changeMethods(operatorActor(), 1, { disable: [method], enable: [] })
    const json = { username: 'bob', realName: 'Bob', email: 'bob@example.com' }
    const answer = await other.call('POST', '/system/user', { token: otherToken, json })
    expectProblem(t, answer, 'invalid_request', ['password'])
    t.match(answer.text, message)
  }
})
