import { createHash } from 'node:crypto'
import { test, type Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import type { AuthUrl, SocialTicket } from '../../../schemas/social.js'
import { parallel } from '../../helpers/values/compare.js'
import { expectProblem } from '../../helpers/service/expect.js'
import { federation, redirectUri, startOpenIdProvider } from '../../helpers/peers/openid-provider.js'
import { startServer } from '../../helpers/service/server.js'

/** `time` is that of the service, epoch milliseconds; the provider reads the real time. */
const start = async (t: Test, more: object = { unknownIdentity: 'register' }, time = Date.now()) => {
  const provider = await startOpenIdProvider(t)
  const server = await startServer(t, { settings: federation([provider.settings], more), time })

  /** Signs in at the provider; resolves to what the browser comes back with. */
  const visit = async (login: string, query: Record<string, string> = {}, token?: string) => {
    const { body } = await server.call<AuthUrl>('GET', '/social/authUrl/corporate', { query, token })
    return provider.visit(body.data.authUrl, login)
  }
  const callback = (answer: object, more: object = {}) =>
    server.call<SocialTicket>('POST', '/social/callback', { json: { platform: 'corporate', ...answer, ...more } })
  const ticketOf = async (login: string, token?: string) =>
    (await callback(await visit(login, {}, token))).body.data.socialTicket
  const signIn = (json: object) => server.call('POST', '/auth/login', { json })
  return { provider, server, visit, callback, ticketOf, signIn }
}

test('whoever signs in at an OpenID provider gets a session, by a ticket or by the code itself', async (t) => {
  const { server, visit, ticketOf, signIn, callback } = await start(t)

  const { body: answer } = await server.call<AuthUrl>('GET', '/social/authUrl/corporate')
  const authUrl = new URL(answer.data.authUrl)
  t.match(answer.data.state, /^corporate_[\w-]{32}$/)
  t.equal(authUrl.searchParams.get('state'), answer.data.state)
  t.equal(authUrl.searchParams.get('code_challenge_method'), 'S256')
  t.match(authUrl.searchParams.get('code_challenge'), /^[\w-]{43}$/)
  t.match(authUrl.searchParams.get('nonce'), /^[\w-]{32}$/)
  t.equal(authUrl.searchParams.get('redirect_uri'), redirectUri)
  t.notMatch(answer.data.authUrl, 'rollcall-secret')

  const ticket = await callback(await visit('alice'))
  t.equal(ticket.status, 200)
  t.match(ticket.body.data, { platform: 'corporate', tenantId: 1, expiresIn: 120 })
  t.match(ticket.body.data.socialTicket, /^[0-9a-f]{64}$/)

  const first = await signIn({ authType: 'oauth2', socialTicket: ticket.body.data.socialTicket })
  t.equal(first.status, 200)
  t.match(first.body.data.userInfo, { username: 'corporate-alice', realName: 'alice', userType: 2, roleKeys: [] })
  t.equal(first.body.data.forcePasswordChange, false)

  const second = await signIn({ authType: 'social', socialTicket: await ticketOf('alice') })
  t.equal(second.body.data.userInfo.userId, first.body.data.userInfo.userId, 'the same account again')

  const { code, state } = await visit('alice')
  const third = await signIn({ authType: 'oauth2', authCode: code, state })
  t.equal(third.body.data.userInfo.userId, first.body.data.userInfo.userId)

  const info = await server.call('GET', '/auth/userInfo', { token: third.body.data.accessToken })
  t.equal(info.status, 200)

  const other = await signIn({ authType: 'social', socialTicket: await ticketOf('bob') })
  t.not(other.body.data.userInfo.userId, first.body.data.userInfo.userId, 'the same e-mail address is no identity')
})

test('the platforms are listed, on the sign-in page too', async (t) => {
  const { server } = await start(t)
  const platform = { platform: 'corporate', platformName: 'Corporate', platformLogo: null, enabled: true }
  t.same((await server.call('GET', '/social/platforms')).body.data, [platform])
  const { body } = await server.call('GET', '/auth/loginConfig')
  t.same(body.data.socialPlatforms, [platform])
  t.match(body.data.authTypes, ['password', 'password_captcha', 'oauth2', 'social'])
})

test('an identity that nobody linked is refused where the configuration says so, and no account is made', async (t) => {
  const { server, ticketOf, signIn } = await start(t, {})
  const refused = await signIn({ authType: 'oauth2', socialTicket: await ticketOf('alice') })
  expectProblem(t, refused, 'invalid_grant')
  t.match(refused.body.data.violations, [{ field: 'socialTicket' }])
  const { accessToken } = await server.signIn()
  const list = await server.call('GET', '/system/user/page', { token: accessToken })
  t.equal(list.body.data.total, 1)
})

test('a state is good for one return: of 50 at once exactly one gets a ticket', async (t) => {
  const { visit, callback } = await start(t)
  const answer = await visit('alice')
  const answers = await Promise.all(Array.from({ length: 50 }, () => callback(answer)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const refused of answers.filter(({ status }) => status !== 200)) expectProblem(t, refused, 'invalid_grant')
  expectProblem(t, await callback(answer), 'invalid_grant')
})

test('a ticket is good for one sign-in: of 50 at once exactly one gets a session', async (t) => {
  const { server, ticketOf, signIn } = await start(t)
  const socialTicket = await ticketOf('alice')
  const answers = await Promise.all(Array.from({ length: 50 }, () => signIn({ authType: 'social', socialTicket })))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.notOk(server.log().includes(socialTicket), 'the ticket is not in the log')
})

test('ten first sign-ins of one person at once make one account', async (t) => {
  const { server, ticketOf, signIn } = await start(t)
  const tickets = []
  for (let index = 0; index < 10; index++) tickets.push(await ticketOf('alice'))
  const answers = await Promise.all(tickets.map((socialTicket) => signIn({ authType: 'social', socialTicket })))
  t.equal(new Set(answers.map(({ body }) => body.data.userInfo.userId)).size, 1)
  const { accessToken } = await server.signIn()
  t.equal((await server.call('GET', '/system/user/page', { token: accessToken })).body.data.total, 2)
})

test('a ticket is bound to tenant and client, lives 120 seconds, and is burned by a failed try', async (t) => {
  const { server, visit, callback, ticketOf, signIn } = await start(t)
  const second = await server.operator.addTenant('Second')
  const rows = [{ tenantId: second.id }, { userClient: 'app' }]
  for (const wrong of rows) {
    const socialTicket = await ticketOf('alice')
    expectProblem(t, await signIn({ authType: 'social', socialTicket, ...wrong }), 'invalid_grant')
    expectProblem(t, await signIn({ authType: 'social', socialTicket }), 'invalid_grant')
  }
  const there = (await callback(await visit('alice'), { tenantId: second.id, userClient: 'h5' })).body.data
  t.equal(there.tenantId, second.id)
  const place = { tenantId: second.id, userClient: 'h5' }
  const result = await signIn({ authType: 'social', socialTicket: there.socialTicket, ...place })
  t.match(result.body.data.userInfo, { tenantId: second.id, userClient: 'h5' })

  const late = await ticketOf('alice')
  server.clock.advance(120)
  expectProblem(t, await signIn({ authType: 'social', socialTicket: late }), 'invalid_grant')
})

test('what was named when the sign-in began must be named on return', async (t) => {
  const { visit, callback } = await start(t)
  const rows = [
    { begun: { userClient: 'app' }, back: { userClient: 'pc' }, status: 400 },
    { begun: { userClient: 'app' }, back: { userClient: 'app' }, status: 200 },
    { begun: { tenantId: '1' }, back: { tenantId: 2 }, status: 400 },
    { begun: {}, back: { platform: 'elsewhere' }, status: 400 },
    { begun: {}, back: { iss: 'https://evil.example.com' }, status: 400 },
    { begun: {}, back: { code: 'another' }, status: 400 },
  ]
  for (const { begun, back, status } of rows) {
    const answer = await callback(await visit('alice', begun as Record<string, string>), back)
    t.equal(answer.status, status, JSON.stringify({ begun, back }))
    if (status === 400) expectProblem(t, answer, 'invalid_grant')
  }
})

test('known front ends leave out `iss`; where it is required, a callback without it is refused', async (t) => {
  const relaxed = await start(t)
  const { iss, ...known } = await relaxed.visit('alice')
  t.equal(iss, relaxed.provider.issuer, 'the provider sends it')
  t.equal((await relaxed.callback(known)).status, 200)

  const provider = await startOpenIdProvider(t)
  const settings = federation([{ ...provider.settings, requireIss: true }])
  const strict = await startServer(t, { settings, time: Date.now() })
  const callback = async (withIss: boolean) => {
    const { body } = await strict.call<AuthUrl>('GET', '/social/authUrl/corporate')
    const { iss: sent, ...rest } = await provider.visit(body.data.authUrl, 'alice')
    const json = { platform: 'corporate', ...rest, ...(withIss ? { iss: sent } : {}) }
    return strict.call('POST', '/social/callback', { json })
  }
  expectProblem(t, await callback(false), 'invalid_grant')
  t.equal((await callback(true)).status, 200)
})

test('nothing that would let a thief finish a sign-in lies open in the store', async (t) => {
  const { server } = await start(t)
  const { body } = await server.call<AuthUrl>('GET', '/social/authUrl/corporate')
  const key = `federation:state:${createHash('sha256').update(body.data.state).digest('base64url')}`
  const kept = await server.app.store.get(key)
  const nonce = new URL(body.data.authUrl).searchParams.get('nonce') ?? ''
  t.ok(kept)
  for (const secret of [body.data.state, body.data.verifier, nonce, redirectUri, 'verifier']) t.notMatch(kept, secret)
})

test('a tenant that disables both methods is shown no platforms, and nobody signs in by one', async (t) => {
  const { server, ticketOf, signIn } = await start(t)
  const socialTicket = await ticketOf('alice')
  await server.app.login.ofTenant.change(operatorActor(), 1, { disable: ['oauth2', 'social'], enable: [] })
  const { body } = await server.call('GET', '/auth/loginConfig')
  t.same(body.data.socialPlatforms, [])
  t.notOk(body.data.authTypes.includes('oauth2'))
  for (const authType of ['oauth2', 'social']) {
    expectProblem(t, await signIn({ authType, socialTicket }), 'unsupported_auth_type')
  }
})

test('O1: a code with its state is good for one sign-in: of 50 at once exactly one gets a session', async (t) => {
  const { visit, signIn } = await start(t)
  const { code, state } = await visit('alice')
  const answers = await parallel(50, () => signIn({ authType: 'oauth2', authCode: code, state }))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('O7: a ticket links one identity once: of 50 at once exactly one is taken', async (t) => {
  const { server, ticketOf } = await start(t)
  const { accessToken: token } = await server.signIn()
  const socialTicket = await ticketOf('alice', token)
  const answers = await parallel(50, () => server.call('POST', '/social/bind', { token, json: { socialTicket } }))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  const { body } = await server.call('GET', '/social/bind', { token })
  t.equal(body.data.length, 1)
})

for (const [sentence, seconds, cause] of [
  ['has expired', 660, /unexpected JWT .+ expiration is past current timestamp/],
  ['was issued in the future', -60, /issued in the future/],
] as const) {
  test(`an ID token that ${sentence} by the clock of the service is refused`, async (t) => {
    const { server, visit, callback } = await start(t, { unknownIdentity: 'register' }, Date.now() + seconds * 1000)
    expectProblem(t, await callback(await visit('alice')), 'invalid_grant')
    t.match(server.log(), cause)
  })
}
