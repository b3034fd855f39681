import { test, type Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startLinking } from '../../helpers/peers/linking.js'
import { bodyOf, startMailServer } from '../../helpers/peers/mail-server.js'
import { adminPassword, userPassword } from '../../helpers/service/server.js'

const fresh = 600

test('who links an identity shows the password, or has just signed in; a refresh is no sign-in', async (t) => {
  const { server, join, link, linkIdentity, list, ticketOf } = await startLinking(t)
  let token = await join('anna')
  server.clock.advance(fresh)
  expectSuccess(t, await linkIdentity(token, 'in-time'))
  server.clock.advance(0.001)
  token = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token })).accessToken as string
  const ticket = await ticketOf('later', 'corporate', { token })
  const refused = await link(token, ticket)
  expectProblem(t, refused, 'fresh_sign_in_required')
  t.notMatch(refused.text, /later/)
  expectProblem(t, await link(token, ticket, {}, 'wrong horse battery'), 'invalid_credentials')
  expectProblem(t, await link(token, ticket, {}, adminPassword), 'invalid_credentials')
  t.equal((await list(token)).length, 1)
  t.equal(
    expectSuccess(t, await link(token, ticket, {}, userPassword)).displayName,
    'later',
    'the ticket is still good',
  )
  expectProblem(t, await link(token, ticket, {}, userPassword), 'invalid_grant')
})

test('wrong passwords at linking are counted, with those of a password change', async (t) => {
  const { server, join, link, ticketOf } = await startLinking(t, {
    federation: { unknownIdentity: 'refuse' },
    settings: { lockout: { nameFailures: 5 }, captcha: { mode: 'never' } },
  })
  const token = await join('anna')
  const ticket = await ticketOf('alice', 'corporate', { token })
  for (let tries = 0; tries < 5; tries++) {
    expectProblem(t, await link(token, ticket, {}, `wrong ${tries}`), 'invalid_credentials')
  }
  expectProblem(t, await link(token, ticket, {}, userPassword), 'too_many_attempts')
  const json = { oldPassword: userPassword, newPassword: 'brass kettle whistle' }
  expectProblem(t, await server.call('POST', '/auth/changePassword', { token, json }), 'too_many_attempts')
})

test('who has no password signs in again to link', async (t) => {
  const { server, link, linkIdentity, enter, list, ticketOf } = await startLinking(t, {})
  const { accessToken: token } = expectSuccess(t, await enter())
  server.clock.advance(fresh + 1)
  const ticket = await ticketOf('alice-at-home', 'corporate', { token })
  expectProblem(t, await link(token, ticket), 'fresh_sign_in_required')
  expectProblem(t, await link(token, ticket, {}, userPassword), 'invalid_credentials')
  t.equal((await list(token)).length, 1)
  const { accessToken: again } = expectSuccess(t, await enter())
  expectSuccess(t, await linkIdentity(again, 'alice-at-home'))
})

test('unlinking ends the sessions that the identity has signed in, and no others', async (t) => {
  const { server, join, linkIdentity, enter, unlink } = await startLinking(t)
  const mine = await join('anna')
  const other = (await server.signIn('anna', userPassword)).accessToken
  const { id } = expectSuccess(t, await linkIdentity(mine, 'thief'))
  expectSuccess(t, await linkIdentity(mine, 'anna-at-home'))
  const thief = expectSuccess(t, await enter('thief')).accessToken
  const home = expectSuccess(t, await enter('anna-at-home')).accessToken
  const use = (token: string) => server.call('GET', '/auth/userInfo', { token })
  for (const token of [mine, other, thief, home]) expectSuccess(t, await use(token))
  expectSuccess(t, await unlink(mine, id))
  expectProblem(t, await use(thief), 'session_revoked')
  expectProblem(t, await server.call('POST', '/auth/refreshToken', { token: thief }), 'session_revoked')
  for (const token of [mine, other, home]) expectSuccess(t, await use(token))
  expectProblem(t, await enter('thief'), 'invalid_grant', ['socialTicket'])
})

test('the session of the caller outlives the identity that signed it in, as it does a password change', async (t) => {
  const { server, join, linkIdentity, enter, unlink } = await startLinking(t)
  const { id } = expectSuccess(t, await linkIdentity(await join('anna')))
  const caller = expectSuccess(t, await enter()).accessToken
  const other = expectSuccess(t, await enter()).accessToken
  expectSuccess(t, await unlink(caller, id))
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: caller }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: other }), 'session_revoked')
})

test('an identity that is unlinked while it signs in starts no session', async (t) => {
  const { server, join, linkIdentity, unlink } = await startLinking(t)
  const token = await join('anna')
  const { id } = expectSuccess(t, await linkIdentity(token))
  const { app } = server
  const user = await app.db.users.findByUsername(1, 'anna')
  if (!user) throw new Error('anna is gone')
  const device = { userClient: 'pc', address: '198.51.100.7', userAgent: '', deviceId: undefined } as const
  const start = () =>
    app.sessions.start({ outcome: 'start', user: { ...user, identityId: id } }, device, async () => undefined)
  t.ok((await start()).accessToken)
  expectSuccess(t, await unlink(token, id))
  await t.rejects(start(), { code: 'invalid_grant' })
})

test('an account has at most ten linked identities', async (t) => {
  const { join, linkIdentity, list, unlink, enter } = await startLinking(t)
  const token = await join('anna')
  for (let index = 0; index < 10; index++) expectSuccess(t, await linkIdentity(token, `anna-${index}`))
  const refused = await linkIdentity(token, 'anna-10')
  expectProblem(t, refused, 'invalid_request', ['socialTicket'])
  t.match(refused.text, 'at most 10')
  expectProblem(t, await enter('anna-10'), 'invalid_grant', ['socialTicket'])
  const all = await list(token)
  t.equal(all.length, 10)
  expectSuccess(t, await linkIdentity(token, 'anna-3'))
  expectSuccess(t, await unlink(token, all[0]?.id ?? 0))
  expectSuccess(t, await linkIdentity(token, 'anna-10'))
})

const startWithMail = async (t: Test, behaviour: 'accept' | 'refuse' = 'accept') => {
  const mailServer = await startMailServer(t, behaviour)
  const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'Rollcall <notices@example.com>' }
  return { mailServer, ...(await startLinking(t, { federation: { unknownIdentity: 'register' }, environment })) }
}

test('the owner is told by mail, in both languages, of what is linked and unlinked', async (t) => {
  const { mailServer, server, linkIdentity, unlink } = await startWithMail(t)
  await server.addUser('anna', { email: 'anna@example.com' })
  await server.addUser('ben')
  const token = (await server.signIn('anna')).accessToken
  const { id } = expectSuccess(t, await linkIdentity(token, 'a-name-of-the-thief'))
  expectSuccess(t, await linkIdentity(token, 'a-name-of-the-thief'))
  expectSuccess(t, await linkIdentity((await server.signIn('ben')).accessToken, 'bens'))
  expectSuccess(t, await unlink(token, id))
  await server.app.notices.finish()
  const { mails } = mailServer
  t.equal(mails.length, 2, 'once for each change, and none to who has no address')
  for (const [index, words] of [/was linked to your account anna[^]*绑定/, /was unlinked[^]*解绑/].entries()) {
    const { to, raw } = mails[index] ?? { to: [], raw: '' }
    t.same(to, ['anna@example.com'])
    const body = bodyOf(raw)
    t.match(body, words)
    t.match(body, /corporate[^]*2026-06-01 08:00:00 \(UTC\)[^]*127\.0\.0\.1/)
    t.notMatch(body, /a-name-of-the-thief|eyJ|https?:|\{/, 'nothing that the thief chooses')
  }
})

test('linking does not wait for the mail server, nor fail with it', async (t) => {
  const { server, linkIdentity, list } = await startWithMail(t, 'refuse')
  await server.addUser('anna', { email: 'anna@example.com' })
  const token = (await server.signIn('anna')).accessToken
  expectSuccess(t, await linkIdentity(token))
  await server.app.notices.finish()
  t.equal((await list(token)).length, 1)
  t.match(server.log(), 'a notice of an account change could not be sent')
})

const first = 'brass kettle whistle'

test('who has no password sets a first one within ten minutes of the sign-in, and is told', async (t) => {
  const { mailServer, server, enter, linkIdentity } = await startWithMail(t)
  const { accessToken: stale, userInfo } = expectSuccess(t, await enter())
  const set = (token: string, json: object) => server.call('POST', '/auth/changePassword', { token, json })
  server.clock.advance(fresh + 1)
  expectProblem(t, await set(stale, { newPassword: first }), 'fresh_sign_in_required')
  expectProblem(t, await set(stale, { newPassword: first, oldPassword: 'a guess' }), 'invalid_credentials')
  const { accessToken: token } = expectSuccess(t, await enter())
  expectProblem(t, await set(token, { newPassword: 'short' }), 'invalid_request', ['newPassword'])
  expectSuccess(t, await set(token, { newPassword: first, oldPassword: '' }))
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: stale }), 'session_revoked')
  await server.signIn(userInfo.username, first)
  expectProblem(t, await set(token, { newPassword: userPassword }), 'invalid_request', ['oldPassword'])
  expectSuccess(t, await set(token, { newPassword: userPassword, oldPassword: first }))
  t.same(mailServer.mails, [], 'there is no address to tell')

  await server.addUser('anna', { email: 'anna@example.com', password: undefined })
  const anna = await server.app.db.users.findByUsername(1, 'anna')
  if (!anna) throw new Error('anna is gone')
  const device = { userClient: 'pc', address: '198.51.100.7', userAgent: '', deviceId: undefined } as const
  const session = await server.app.sessions.start({ outcome: 'start', user: anna }, device, async () => undefined)
  expectSuccess(t, await set(session.accessToken, { newPassword: first }))
  await server.app.notices.finish()
  const [mail] = mailServer.mails
  t.match(bodyOf(mail?.raw ?? ''), /A password was set for your account anna/)
  t.notMatch(mail?.raw ?? '', first)
  expectSuccess(t, await linkIdentity(session.accessToken, 'annas'))
})

const providerSettings = (settings: object) => ({ settings: { lockout: { nameFailures: 100 }, ...settings } })

test('the last way in counts only ways that are configured', async (t) => {
  const refused = async (options: Parameters<typeof startLinking>[1], prepare: (all: All) => Promise<void>) => {
    const all = await startLinking(t, { platforms: { corporate: {}, other: {} }, ...options })
    const { accessToken: token, userInfo } = expectSuccess(t, await all.enter())
    const [linked] = await all.list(token)
    await prepare({ ...all, token, username: userInfo.username })
    return { ...all, token, answer: await all.unlink(token, linked?.id ?? 0) }
  }
  type All = Awaited<ReturnType<typeof startLinking>> & { token: string; username: string }
  const setContact = async ({ server, username }: All, column: 'phone' | 'email', value: string) => {
    const { run, close } = await connect(server.directory)
    await run(`update users set ${column} = ?, ${column}_key = ? where username = ?`, value, value, username)
    await close()
  }
  const mail = { environment: { SMTP_URL: 'smtp://127.0.0.1:1' } }
  const rows: [name: string, options: object, prepare: (all: All) => Promise<void>, isLast: boolean][] = [
    ['an e-mail address, no mail server', {}, (all) => setContact(all, 'email', 'a@example.com'), true],
    ['an e-mail address and a mail server', mail, (all) => setContact(all, 'email', 'a@example.com'), false],
    ['a phone number, no SMS', {}, (all) => setContact(all, 'phone', '+8613800138000'), true],
    [
      'a phone number and SMS',
      providerSettings({ sms: { sender: 'log' } }),
      (all) => setContact(all, 'phone', '+8613800138000'),
      false,
    ],
    [
      'an e-mail address and a mail server, but the tenant does without',
      mail,
      async (all) => {
        await setContact(all, 'email', 'a@example.com')
        await all.server.app.login.ofTenant.change(operatorActor(), 1, { disable: ['email_captcha'], enable: [] })
      },
      true,
    ],
    [
      'another identity',
      {},
      async ({ link, ticketOf, token }) => {
        expectSuccess(t, await link(token, await ticketOf('x', 'other', { token })))
      },
      false,
    ],
    [
      'an identity of a provider that is not there any more',
      {},
      async ({ server }) => {
        const user = await server.app.db.users.findByUsername(1, 'corporate-alice')
        const identity = { userId: user?.id ?? 0, tenantId: 1, platform: 'gone', issuer: 'x', subject: 'x' }
        await server.app.db.identities.add({ ...identity, displayName: null, createTime: 0 })
      },
      true,
    ],
    [
      'an identity of another issuer under the name of the platform',
      {},
      async ({ server }) => {
        const user = await server.app.db.users.findByUsername(1, 'corporate-alice')
        const identity = { userId: user?.id ?? 0, tenantId: 1, platform: 'other', issuer: 'x', subject: 'x' }
        await server.app.db.identities.add({ ...identity, displayName: null, createTime: 0 })
      },
      true,
    ],
    [
      'a password, but the tenant does without',
      {},
      async ({ server, token }) => {
        const json = { newPassword: first }
        expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json }))
        const disable = ['password', 'password_captcha']
        await server.app.login.ofTenant.change(operatorActor(), 1, { disable, enable: [] })
      },
      true,
    ],
    [
      'a password',
      {},
      async ({ server, token }) => {
        const json = { newPassword: first }
        expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json }))
      },
      false,
    ],
  ]
  for (const [name, options, prepare, isLast] of rows) {
    await t.test(name, async (t) => {
      const { answer, list, token } = await refused(options, prepare)
      if (isLast) expectProblem(t, answer, 'invalid_request', ['id'])
      else expectSuccess(t, answer)
      const left = (await list(token)).filter(({ displayName }) => displayName === 'alice')
      t.equal(left.length, isLast ? 1 : 0)
    })
  }
})

test('operators see what is linked, and remove it with its sessions, also the last way in', async (t) => {
  const { server, enter, join, linkIdentity } = await startLinking(t, {})
  const { operator } = server
  const { linkedIdentities } = server.app
  const { accessToken: token, userInfo } = expectSuccess(t, await enter())
  const [one, ...others] = await linkedIdentities.listOf(userInfo.username)
  t.match(one, { platform: 'corporate', subject: 'alice', userId: userInfo.userId })
  t.same(others, [])
  await t.rejects(linkedIdentities.removeOf(userInfo.username, 999), { code: 'invalid_request' })
  await t.rejects(linkedIdentities.listOf('nobody'), { code: 'invalid_request' })
  t.equal(await linkedIdentities.removeOf(userInfo.username, one?.id), 1)
  t.equal(await linkedIdentities.removeOf(userInfo.username, undefined), 0)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')

  const anna = await join('anna')
  expectSuccess(t, await linkIdentity(anna, 'thief'))
  await operator.setPassword('anna', first, { forcePasswordChange: false })
  t.equal(expectSuccess(t, await enter('thief')).userInfo.username, 'anna', 'a reset leaves it, unless told so')
  await operator.setPassword('anna', userPassword, { forcePasswordChange: false, unlinkIdentities: true })
  t.same(await linkedIdentities.listOf('anna'), [])
  t.not(expectSuccess(t, await enter('thief')).userInfo.username, 'anna')
})
