import { test, type Test } from 'tap'
import { databaseBytes } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { bodyOf, startMailServer } from '../../helpers/peers/mail-server.js'
import { startServer, type ServerOptions, type TestServer } from '../../helpers/service/server.js'

const address = 'alice@example.com'

const start = async (t: Test, options: ServerOptions = {}) => {
  const mailServer = await startMailServer(t)
  const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'Rollcall <codes@example.com>', ...options.environment }
  const server = await startServer(t, { ...options, environment })
  await server.addUser('alice', { email: address })
  return { server, mailServer }
}
type Started = Awaited<ReturnType<typeof start>>

const requestCode = (server: TestServer, email = address, more = {}) =>
  server.call('POST', '/auth/captcha/email', { json: { email, ...more } })

const codeIn = (raw: string) => /\b(\d{6})\b/.exec(bodyOf(raw))?.[1] ?? ''

/** Orders a code and reads it out of the mail. */
const receive = async (t: Test, { server, mailServer }: Started, more = {}): Promise<string> => {
  const count = mailServer.mails.length
  expectSuccess(t, await requestCode(server, address, more))
  const mails = await mailServer.waitFor(count + 1)
  return codeIn(mails[count]?.raw ?? '')
}

const signIn = (server: TestServer, code: string, more = {}) =>
  server.call('POST', '/auth/login', { json: { authType: 'email_captcha', email: address, code, ...more } })

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('email_captcha signs in with the code out of the mail, once', async (t) => {
  const started = await start(t)
  const { server, mailServer } = started
  const code = await receive(t, started)
  t.match(code, /^\d{6}$/)
  t.same(mailServer.mails[0]?.to, [address])
  t.match(mailServer.mails[0]?.raw, /From: Rollcall <codes@example\.com>/)
  const data = expectSuccess(t, await signIn(server, code))
  t.equal(data.userInfo.username, 'alice')
  expectProblem(t, await signIn(server, code), 'invalid_code')
})

test('the mail speaks the language of the request', async (t) => {
  const { server, mailServer } = await start(t)
  const headers = { 'accept-language': 'zh-CN,zh;q=0.9' }
  const answer = await server.call('POST', '/auth/captcha/email', { json: { email: address }, headers })
  t.equal(expectSuccess(t, answer).message, '验证码已发送')
  const [mail] = await mailServer.waitFor(1)
  t.match(bodyOf(mail?.raw ?? ''), /登录验证码：\r?\n\r?\n\d{6}\r?\n/)
})

test('an unknown address gets the same answer and no mail', async (t) => {
  const started = await start(t)
  const { server, mailServer } = started
  const unknown = await requestCode(server, 'nobody@example.com')
  const known = await requestCode(server)
  for (const answer of [unknown, known]) {
    const { codeKey, ...rest } = expectSuccess(t, answer)
    t.match(codeKey, /^one-time-code:[\w-]{22}$/)
    t.same(rest, { status: 'success', interval: 60, message: 'The code is on its way' })
  }
  await mailServer.waitFor(1)
  await server.app.close()
  t.equal(mailServer.mails.length, 1)
})

test('L8: a second code within 60 s is refused, however the address is written', async (t) => {
  const { server } = await start(t)
  expectSuccess(t, await requestCode(server))
  server.clock.advance(20)
  const refused = await requestCode(server, 'ALICE@Example.COM')
  expectProblem(t, refused, 'too_many_requests')
  t.equal(refused.body.data.status, 'fail')
  t.equal(refused.body.data.interval, 40)
  t.equal(refused.headers.get('retry-after'), '40')
  server.clock.advance(40)
  expectSuccess(t, await requestCode(server))
})

test('parallel orders send one mail', async (t) => {
  const { server, mailServer } = await start(t)
  const answers = await Promise.all(Array.from({ length: 20 }, () => requestCode(server)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  await server.app.close()
  t.equal(mailServer.mails.length, 1)
})

test('L8: a recipient gets only so many codes a day', async (t) => {
  const { server } = await start(t, { settings: { oneTimeCodes: { recipientPerDay: 2 } } })
  for (let count = 0; count < 2; count++) {
    expectSuccess(t, await requestCode(server))
    server.clock.advance(61)
  }
  expectProblem(t, await requestCode(server), 'too_many_requests')
  server.clock.advance(24 * 3600)
  expectSuccess(t, await requestCode(server))
})

test('L8: an address may ask for only so many codes a day', async (t) => {
  const { server } = await start(t, {
    settings: { oneTimeCodes: { addressPerDay: 2 }, captcha: { mode: 'never' } },
    environment: { RATE_LIMITS: 'on' },
  })
  for (const name of ['one', 'two']) expectSuccess(t, await requestCode(server, `${name}@example.com`))
  const refused = await requestCode(server, 'three@example.com')
  expectProblem(t, refused, 'too_many_requests')
  t.equal(refused.headers.get('retry-after'), String(24 * 3600))
})

test('L4: of 50 parallel tries with the right code exactly one signs in', async (t) => {
  const started = await start(t, {
    settings: { lockout: { nameFailures: 100, nameFailuresAnywhere: 100 }, oneTimeCodes: { tries: 10 } },
  })
  const code = await receive(t, started)
  const answers = await Promise.all(Array.from({ length: 50 }, () => signIn(started.server, code)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.notOk(answers.some(({ status }) => status >= 500))
})

test('L7: the sixth wrong try is refused unseen, and the right code then fails (ASVS 6.6.3)', async (t) => {
  const started = await start(t)
  const { server } = started
  const code = await receive(t, started)
  for (let count = 0; count < 5; count++) expectProblem(t, await signIn(server, another(code)), 'invalid_code')
  expectProblem(t, await signIn(server, another(code)), 'too_many_attempts')
  expectProblem(t, await signIn(server, code), 'too_many_attempts')
  server.clock.advance(61)
  expectProblem(t, await signIn(server, code), 'invalid_code')
})

test('L5: a new code does not give new tries', async (t) => {
  const started = await start(t)
  const { server } = started
  const first = await receive(t, started)
  for (let count = 0; count < 3; count++) expectProblem(t, await signIn(server, another(first)), 'invalid_code')
  server.clock.advance(60)
  const second = await receive(t, started)
  if (first !== second) expectProblem(t, await signIn(server, first), 'invalid_code')
  expectProblem(t, await signIn(server, another(second)), 'invalid_code')
  expectProblem(t, await signIn(server, second), 'too_many_attempts')
})

test('L6: a code opens only what it was sent for (ASVS 6.6.2)', async (t) => {
  const started = await start(t)
  const { server } = started
  const other = await server.operator.addTenant('Other')
  await server.addUser('alice', { email: address, tenantId: other.id })
  await server.addUser('bob', { email: 'bob@example.com' })
  const code = await receive(t, started)
  const rows = [
    ['another tenant', { tenantId: other.id }],
    ['another address', { email: 'bob@example.com' }],
    ['another client', { userClient: 'app' }],
  ] as const
  for (const [name, more] of rows) {
    t.comment(name)
    expectProblem(t, await signIn(server, code, more), 'invalid_code')
  }
  expectSuccess(t, await signIn(server, code))
})

test('L4: a code is valid for 300 s and not a second longer', async (t) => {
  const started = await start(t)
  const code = await receive(t, started)
  started.server.clock.advance(300)
  expectProblem(t, await signIn(started.server, code), 'invalid_code')
  const next = await receive(t, started)
  started.server.clock.advance(299)
  expectSuccess(t, await signIn(started.server, next))
})

test('L4: neither the log nor the database holds a code', async (t) => {
  const started = await start(t)
  const { server } = started
  const code = await receive(t, started)
  t.notMatch(server.log(), code)
  const content = await databaseBytes(server.directory)
  t.ok(content.includes('one-time'), 'what should be there is')
  t.notOk(content.includes(code))
})

test('a captcha is asked for before a code is sent, when the configuration says so', async (t) => {
  const { server, mailServer } = await start(t, {
    settings: { oneTimeCodes: { captcha: true } },
    environment: { ROLLCALL_DEV_ECHO: '1' },
  })
  expectProblem(t, await requestCode(server), 'captcha_required', ['code', 'codeKey'])
  const { code, codeKey } = expectSuccess(t, await server.call('GET', '/auth/captcha'))
  expectSuccess(t, await requestCode(server, address, { code, codeKey }))
  await mailServer.waitFor(1)
})

const failure = /a code could not be delivered/

for (const behaviour of ['refuse', 'hang'] as const) {
  test(`a mail server that ${behaviour}s holds nobody up and is logged`, async (t) => {
    const mailServer = await startMailServer(t, behaviour)
    const server = await startServer(t, {
      environment: { SMTP_URL: mailServer.url },
      settings: { mail: { timeout: 3 } },
    })
    await server.addUser('alice', { email: address })
    expectSuccess(t, await requestCode(server))
    if (behaviour === 'hang') t.notMatch(server.log(), failure, 'the answer does not wait for the mail server')
    await server.app.close()
    t.match(server.log(), failure)
  })
}

test('what is not an e-mail address is refused', async (t) => {
  const { server } = await start(t)
  for (const email of ['alice', 'alice@', '@example.com', 'a b@example.com', 'alice＠example.com']) {
    expectProblem(t, await requestCode(server, email), 'invalid_request', ['recipient'])
  }
})

test('without a mail server the method does not exist', async (t) => {
  const server = await startServer(t)
  expectProblem(t, await requestCode(server), 'unsupported_auth_type')
  expectProblem(t, await signIn(server, '123456'), 'unsupported_auth_type')
  const config = expectSuccess(t, await server.call('GET', '/auth/loginConfig'))
  t.same(config.authTypes, ['password', 'password_captcha', 'passkey'])
})
