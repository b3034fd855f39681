import { test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { connect } from '../../helpers/databases/database.js'
import { startLinking } from '../../helpers/peers/linking.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { userPassword } from '../../helpers/service/server.js'
import { startDecision } from '../../helpers/service/start-decision.js'

const first = 'brass kettle whistle'

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
  const start = () => app.sessions.start(startDecision({ ...user, identityId: id }), device, async () => undefined)
  t.ok((await start())?.result.accessToken)
  expectSuccess(t, await unlink(token, id))
  await t.rejects(start(), { code: 'invalid_grant' })
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
  const { accounts, db, management } = server.app
  const { accessToken: token, userInfo } = expectSuccess(t, await enter())
  const user = await accounts.findUser(userInfo.username)
  const remove = (id?: number) => management.identities.removeOf(operatorActor(), user, id)
  const [one, ...others] = await db.identities.ofUser(user.id)
  t.match(one, { platform: 'corporate', subject: 'alice', userId: userInfo.userId })
  t.same(others, [])
  await t.rejects(remove(999), { code: 'invalid_request' })
  t.equal(await remove(one?.id), 1)
  t.equal(await remove(), 0)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')

  const anna = await join('anna')
  expectSuccess(t, await linkIdentity(anna, 'thief'))
  await operator.setPassword('anna', first, { forcePasswordChange: false })
  t.equal(expectSuccess(t, await enter('thief')).userInfo.username, 'anna', 'a reset leaves it, unless told so')
  await operator.setPassword('anna', userPassword, { forcePasswordChange: false, unlinkIdentities: true })
  t.same(await db.identities.ofUser((await accounts.findUser('anna')).id), [])
  t.not(expectSuccess(t, await enter('thief')).userInfo.username, 'anna')
})
