import { test, type Test } from 'tap'
import { startLinking } from '../../helpers/peers/linking.js'
import { bodyOf, startMailServer } from '../../helpers/peers/mail-server.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, userPassword } from '../../helpers/service/server.js'
import { startDecision } from '../../helpers/service/start-decision.js'

/** Seconds. */
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
  const started = await server.app.sessions.start(startDecision(anna), device, async () => undefined)
  const own = started?.result.accessToken ?? ''
  expectSuccess(t, await set(own, { newPassword: first }))
  await server.app.notices.finish()
  const [mail] = mailServer.mails
  t.match(bodyOf(mail?.raw ?? ''), /A password was set for your account anna/)
  t.notMatch(mail?.raw ?? '', first)
  expectSuccess(t, await linkIdentity(own, 'annas'))
})
