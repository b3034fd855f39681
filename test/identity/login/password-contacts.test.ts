import { test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { fingerprint, parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { email, phone, startWithMessages, type WithMessages } from '../../helpers/service/self-service.js'
import { adminPassword, startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const never = { captcha: { mode: 'never' } }
const signIn = (
  { server }: Pick<WithMessages, 'server'>,
  username: string,
  password = userPassword,
  more: object = {},
) => server.call('POST', '/auth/login', { json: { username, password, ...more } })
const verify = (server: TestServer, name = 'alice', tenantId = 1) =>
  server.app.accounts.verifyContacts(name, { email: true, phone: true }, tenantId)

const spellings = [email, 'ALICE@Example.com', ` ${email} `, phone, '+86 138 0013 8000', '008613800138000']

test('a verified e-mail address or phone number signs in with the password, however it is spelled', async (t) => {
  const started = await startWithMessages(t, { settings: never })
  for (const username of spellings) expectProblem(t, await signIn(started, username), 'invalid_credentials')
  started.server.clock.advance(3600)
  await verify(started.server)
  for (const authType of ['password', undefined])
    for (const username of spellings) {
      const { userInfo } = expectSuccess(t, await signIn(started, username, userPassword, authType ? { authType } : {}))
      t.equal(userInfo.username, 'alice', username)
    }
  expectProblem(t, await signIn(started, email, 'wrong password'), 'invalid_credentials')
  expectProblem(t, await signIn(started, 'alice@xn--example.com'), 'invalid_credentials')
})

test('an unverified contact, one of another tenant and a former one do not sign in', async (t) => {
  const started = await startWithMessages(t, { settings: never })
  const { server } = started
  const { id: other } = await server.operator.addTenant('Acme')
  await server.addUser('bob', { tenantId: other, email: 'bob@example.com' })
  await verify(server, 'bob', other)
  expectProblem(t, await signIn(started, 'bob@example.com'), 'invalid_credentials')
  expectSuccess(t, await signIn(started, 'bob@example.com', userPassword, { tenantId: other }))
  await verify(server)
  await server.app.management.edit(operatorActor(), started.alice.id, { email: 'new@example.com' })
  for (const address of [email, 'new@example.com'])
    expectProblem(t, await signIn(started, address), 'invalid_credentials')
})

test('an account with that user name comes first', async (t) => {
  const started = await startWithMessages(t, { settings: never })
  const { server } = started
  await verify(server)
  const { id } = await server.addUser('mallory', { password: 'the kettle of mallory' })
  await server.app.db.users.change(id, { username: email }, server.clock.now())
  expectProblem(t, await signIn(started, email), 'invalid_credentials')
  t.equal(expectSuccess(t, await signIn(started, email, 'the kettle of mallory')).userInfo.userId, id)
})

test('an invited person is told the user name, sets a password and signs in with the address', async (t) => {
  const started = await startWithMessages(t, { settings: never })
  const { server, post, mailAfter } = started
  const token = (await server.signIn()).accessToken
  const json = { username: 'carol', realName: 'Carol', email: 'carol@example.com' }
  const mail = await mailAfter(() => server.call('POST', '/system/user', { token, json }))
  t.match(mail, /user name there is carol\b/)
  const code = /\b(\d{6})\b/.exec(mail)?.[1] ?? ''
  const newPassword = 'violet umbrella stand'
  const answer = await post('/auth/password/reset', { recipient: json.email, code, newPassword })
  t.strictSame(expectSuccess(t, answer), { username: 'carol' })
  for (const username of ['carol', json.email])
    t.equal(expectSuccess(t, await signIn(started, username, newPassword)).userInfo.username, 'carol')
})

test('a mail with a code for a new password says the user name; one for a sign-in does not', async (t) => {
  const { server, post, mailAfter } = await startWithMessages(t)
  t.match(await mailAfter(() => post('/auth/password/forgot', { recipient: email })), /Your user name is alice\b/)
  server.clock.advance(3600)
  t.notMatch(await mailAfter(() => post('/auth/captcha/email', { email })), /alice|Alice/)
})

test('the three names of an account have together fewer than a hundred failures, and none shows which belong together', async (t) => {
  const started = await startWithMessages(t, {
    settings: { captcha: { mode: 'never' }, rateLimits: { signIn: 100_000 } },
    environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
  })
  const { server } = started
  await verify(server)
  const failAt = (username: string, count: number) =>
    parallel(count, (index) =>
      server.call('POST', '/auth/login', {
        json: { username, password: `wrong ${index}` },
        headers: { 'x-forwarded-for': `203.0.113.${index}` },
      }),
    )
  const names = ['alice', email, phone]
  const strangers = ['nobody', 'nobody@example.com', '13900139000']
  let checked = 0
  for (const [index, name] of names.entries()) {
    const outcome = tally(await failAt(name, 60))
    checked += outcome['invalid_credentials'] ?? 0
    t.strictSame(outcome, { invalid_credentials: 16, too_many_attempts: 44 }, name)
    t.strictSame(
      tally(await failAt(strangers[index] ?? '', 60)),
      outcome,
      'a name without an account is refused the same',
    )
    for (const later of names.slice(index + 1)) {
      const answer = await server.call('POST', '/auth/login', { json: { username: later, password: userPassword } })
      expectSuccess(t, answer)
    }
  }
  t.ok(checked < 100)
})

test('wrong codes for a contact are counted apart from wrong passwords for it', async (t) => {
  const started = await startWithMessages(t, { settings: never })
  const { server, post } = started
  await verify(server)
  for (let count = 0; count < 5; count++)
    await post('/auth/login', { authType: 'email_captcha', email, code: '000000' })
  expectSuccess(t, await signIn(started, email))
  for (let count = 0; count < 5; count++) await signIn(started, phone, 'wrong password')
  expectProblem(t, await signIn(started, phone), 'too_many_attempts')
})

test('a new password by a code ends the lockouts of all names at the place of the owner', async (t) => {
  const started = await startWithMessages(t, { settings: never })
  const { server, post, mailedCode } = started
  await verify(server)
  const names = ['alice', email, phone]
  for (const name of names) {
    for (let count = 0; count < 5; count++) await signIn(started, name, 'wrong password')
    expectProblem(t, await signIn(started, name), 'too_many_attempts')
  }
  const code = await mailedCode(() => post('/auth/password/forgot', { recipient: email }))
  const newPassword = 'violet umbrella stand'
  expectSuccess(t, await post('/auth/password/reset', { recipient: email, code, newPassword }))
  for (const name of names) expectSuccess(t, await signIn(started, name, newPassword))
})

test('a refusal says the same for every kind of name, and the log shows no contact without an account', async (t) => {
  const server = await startServer(t, { settings: never })
  await server.addUser('alice', { email, phone })
  const texts = ['alice', email, phone, 'nobody', 'nobody@example.com', '13900139000']
  const answers = await Promise.all(texts.map((username) => signIn({ server }, username, 'wrong password')))
  const [first, ...others] = answers.map(fingerprint)
  for (const other of others) t.strictSame(other, first)
  await verify(server)
  expectSuccess(t, await signIn({ server }, 'admin', adminPassword))
  t.notMatch(server.log(), /nobody@example|13900139000/)
  const { records } = expectSuccess(
    t,
    await server.call('GET', '/system/login-log/page', {
      token: (await server.signIn()).accessToken,
      query: { refusedOnly: 'true' },
    }),
  )
  const subjects = records.map(({ subject }: { subject: string }) => subject)
  t.notMatch(subjects.join(), /nobody|139/)
  t.ok(subjects.includes(email))
})
