import { test, type Test } from 'tap'
import { startFederation } from '../../helpers/peers/federation.js'
import { solvedCaptcha } from '../../helpers/service/captcha.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, enrol, firstStep, secondStep, type App } from '../../helpers/service/factors.js'
import { userPassword, type Answer, type TestServer } from '../../helpers/service/server.js'
import type { HostLoginMethod } from '../../../app.js'

const phone = '13800138000'
const email = 'alice@example.com'
const newPassword = 'violet umbrella stand'

const badge: HostLoginMethod = {
  name: 'badge',
  needs: ['username', 'authCode'],
  identify: async ({ username, authCode }) => (authCode === 'badge 4711' ? username : undefined),
}

/** A server with every way to sign in, and an account that can use all of them. */
const start = async (t: Test, policy: 'optional' | 'required' = 'optional') => {
  const federated = await startFederation(t, {
    federation: { unknownIdentity: 'refuse' },
    settings: {
      sms: { sender: 'log' },
      mail: { url: 'smtp://127.0.0.1:1', from: 'rollcall@example.com' },
      registration: { mode: 'open' },
      secondFactor: { policy, graceDays: 0 },
      lockout: { nameFailures: 100 },
    },
    environment: { ROLLCALL_DEV_ECHO: '1' },
    loginMethods: [badge],
  })
  const { server, ticketOf } = federated
  const { id } = await server.addUser('alice', { email, phone })
  const user = await server.app.db.users.find(id)
  if (!user) throw new Error('alice is gone')
  const external = { issuer: federated.provider('corporate').settings.issuer, subject: 'alice' }
  await server.app.db.transaction((inside) =>
    server.app.federation.owners.add(inside, user, { ...external, displayName: null, platform: 'corporate' }),
  )
  const post = (path: string, json: object, headers: Record<string, string> = {}) =>
    server.call('POST', path, { json, headers })
  const echoed = async (path: string, json: object): Promise<string> =>
    (await post(path, json)).body.data.code as string

  /** Every way by which a session can start, by its first step. */
  const ways: Record<string, (headers?: Record<string, string>) => Promise<Answer>> = {
    password: (headers) => post('/auth/login', { username: 'alice', password: userPassword }, headers),
    'password by e-mail address': async (headers) => {
      await server.app.accounts.writes.verifyContact(server.app.db, id, { kind: 'email', text: email })
      return post('/auth/login', { username: email, password: userPassword }, headers)
    },
    password_captcha: async (headers) => {
      const json = { authType: 'password_captcha', username: 'alice', password: userPassword }
      return post('/auth/login', { ...json, ...(await solvedCaptcha(server)) }, headers)
    },
    phone_captcha: async (headers) => {
      server.clock.advance(3600)
      const code = await echoed('/auth/captcha/sms', { phone })
      return post('/auth/login', { authType: 'phone_captcha', phone, code }, headers)
    },
    email_captcha: async (headers) => {
      server.clock.advance(3600)
      const code = await echoed('/auth/captcha/email', { email })
      return post('/auth/login', { authType: 'email_captcha', email, code }, headers)
    },
    social: async (headers) =>
      post('/auth/login', { authType: 'social', socialTicket: await ticketOf('alice') }, headers),
    'oauth2 by ticket': async (headers) =>
      post('/auth/login', { authType: 'oauth2', socialTicket: await ticketOf('alice') }, headers),
    'oauth2 by code': async (headers) => {
      const { code, state } = await federated.visit('alice')
      return post('/auth/login', { authType: 'oauth2', authCode: code, state }, headers)
    },
    'a method of a host app': (headers) =>
      post('/auth/login', { authType: 'badge', username: 'alice', authCode: 'badge 4711' }, headers),
  }
  return { ...federated, server, ways, post, echoed, id }
}

/** No part of a refusal may be a token of an account. */
const expectNoToken = (t: Test, answer: Answer): void => {
  t.notMatch(answer.text, /accessToken|eyJ/)
  t.notMatch(answer.headers.getSetCookie().join(), /rollcall_device_/)
}

const withApp = async (t: Test, server: TestServer): Promise<App> =>
  enrol(t, server, (await server.signIn('alice')).accessToken)

test('an account without a factor signs in by every method in one step', async (t) => {
  const { ways } = await start(t)
  for (const [name, way] of Object.entries(ways)) {
    const answer = await way()
    t.ok(answer.body.data.accessToken, `${name}: ${answer.text}`)
  }
})

test('an account with a factor is asked for it after every method (ASVS 6.3.4)', async (t) => {
  const { server, ways } = await start(t)
  const app = await withApp(t, server)
  for (const [name, way] of Object.entries(ways)) {
    const answer = await way()
    t.comment(name)
    expectProblem(t, answer, 'second_factor_required')
    expectNoToken(t, answer)
    const { ticket } = answer.body.data
    t.ok(expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() })).accessToken, name)
    expectProblem(t, await secondStep(server, { ticket, code: app.nextCode() }), 'invalid_grant')
  }
})

test('where a factor is required, an account without one sets one up after every method', async (t) => {
  const { server, ways } = await start(t, 'required')
  for (const [name, way] of Object.entries(ways)) {
    const answer = await way()
    t.comment(name)
    expectProblem(t, answer, 'second_factor_setup_required')
    expectNoToken(t, answer)
    t.strictSame(answer.body.data.methods, ['totp', 'passkey'])
    t.notOk('trustDays' in answer.body.data)
    const { ticket } = answer.body.data
    const finish = await secondStep(server, { ticket, code: '123456' })
    expectProblem(t, finish, 'invalid_grant')
    const begun = await server.call('POST', '/auth/factors/totp', { json: { ticket } })
    t.ok(expectSuccess(t, begun).secret, name)
  }
})

test('on a trusted device every method signs in in one step, and nowhere else', async (t) => {
  const { server, ways } = await start(t)
  const app = await withApp(t, server)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const trusted = await secondStep(server, { ticket, code: app.nextCode(), trustDevice: true })
  const headers = { cookie: cookiesOf(trusted) }
  for (const [name, way] of Object.entries(ways)) {
    t.ok((await way(headers)).body.data.accessToken, name)
    expectProblem(t, await way(), 'second_factor_required')
  }
})

test('reset, registration, invitation and linking start no session; a refresh stays what it was (ASVS 6.4.3)', async (t) => {
  const { server, post, echoed, begin } = await start(t)
  const app = await withApp(t, server)
  const { ticket } = (await firstStep(server, 'alice')).body.data
  const { accessToken: token } = expectSuccess(t, await secondStep(server, { ticket, code: app.nextCode() }))
  const refreshed = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  t.ok(refreshed.accessToken)
  expectSuccess(t, await begin('corporate', { token }))

  const code = await echoed('/auth/password/forgot', { recipient: email })
  const reset = await post('/auth/password/reset', { recipient: email, code, newPassword })
  t.strictSame(expectSuccess(t, reset), { username: 'alice' })
  expectNoToken(t, reset)
  const after = await post('/auth/login', { username: 'alice', password: newPassword })
  expectProblem(t, after, 'second_factor_required')

  const recipient = 'bob@example.com'
  const registration = await echoed('/auth/register/code', { recipient })
  const json = { username: 'bob', password: newPassword, email: recipient, code: registration }
  const registered = await post('/auth/register', json)
  t.strictSame(Object.keys(expectSuccess(t, registered)).sort(), ['tenantId', 'userId', 'username'])
  expectNoToken(t, registered)
})

test('without the session of a ticket no other address answers', async (t) => {
  const { server, ways } = await start(t)
  await withApp(t, server)
  const { ticket } = (await ways['password']?.())?.body.data ?? {}
  for (const path of ['/auth/userInfo', '/auth/factors', '/system/user/page', '/auth/sessions', '/auth/current/menu'])
    expectProblem(t, await server.call('GET', path, { token: ticket }), 'token_invalid')
  const begun = await server.call('POST', '/auth/factors/totp', { json: { ticket } })
  expectProblem(t, begun, 'invalid_grant')
})
