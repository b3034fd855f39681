import { hash } from 'node:crypto'
import * as oidc from 'openid-client'
import { operatorActor } from '../../../lib/actor.js'
import { test } from 'tap'
import { eventually } from '../../../test/helpers/processes/process.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { enrol } from '../../../test/helpers/service/factors.js'
import { userPassword } from '../../../test/helpers/service/server.js'
import { startListener } from './start-listener.js'
import { expectRefusal, startProvider, type StartedProvider } from './start-provider.js'

const settings = { provider: { allowPrivateAddresses: true } }

interface Signed {
  started: StartedProvider
  /** Access token of Rollcall, of the session with the application. */
  token: string
  admin: string
}

const ofFactors = 'the removal of second factors by an administrator'

/** Each end of point 11 of what a session is, and whether offline tokens outlive it. */
const ends: [sentence: string, end: (signed: Signed) => Promise<unknown>, isOutlived: boolean][] = [
  ['sign-out', ({ started, token }) => started.server.call('POST', '/auth/logout', { token }), true],
  [
    'another sign-in in its place',
    async ({ started }) => {
      const { db, clock } = started.server.app
      const [session] = await db.sessions.live(started.alice.id, clock.now())
      await db.sessions.end([session?.id ?? ''], 'replaced', clock.now())
    },
    true,
  ],
  [
    'a kick by an administrator',
    async ({ started: { server, alice }, admin }) => {
      const [session] = await server.app.db.sessions.live(alice.id, server.clock.now())
      expectSuccess2(await server.call('DELETE', `/system/session/${session?.id ?? ''}`, { token: admin }))
    },
    false,
  ],
  ['disabling', ({ started: { server } }) => server.operator.setEnabled('alice', false), false],
  ['a ban', ({ started: { server, alice } }) => server.operator.ban(alice.id), false],
  ['deletion', ({ started: { server, alice } }) => server.operator.remove(alice.id), false],
  [
    'a new password by an administrator',
    ({ started: { server } }) =>
      server.operator.setPassword('alice', `${userPassword}2`, { forcePasswordChange: false }),
    false,
  ],
  [
    ofFactors,
    async ({ started: { server, alice }, admin }) =>
      expectSuccess2(await server.call('DELETE', `/system/user/${alice.id}/factors`, { token: admin })),
    false,
  ],
]

const expectSuccess2 = ({ status, text }: { status: number; text: string }): void => {
  if (status !== 200) throw new Error(text)
}

/** Nobody waits to be told any more. */
const noneLeft = ({ server }: StartedProvider) =>
  eventually('the last to be told', async () =>
    (await server.app.db.providerLogouts.pending()).has('grafana') ? undefined : true,
  )

/** What is due has been tried. */
const settled = ({ server }: StartedProvider) =>
  eventually('the try', async () => {
    const [left] = await server.app.db.providerLogouts.waiting()
    return left === undefined || left.dueTime > server.clock.now() ? true : undefined
  })

for (const [sentence, end, isOutlived] of ends)
  test(`${sentence} ends the tokens of applications with the next request, and the applications are told`, async (t) => {
    const started = await startProvider(t, { settings })
    const { server, issuer, alice, addClient, connect, openBrowser, enter } = started
    const listener = await startListener(t, issuer)
    const { secret } = await addClient({ refreshTokens: 'session', backchannelLogoutUri: listener.uri })
    const { secret: other } = await addClient({ id: 'offline', name: 'Offline', refreshTokens: 'offline' })
    const [bound, free] = [await connect('grafana', secret), await connect('offline', other)]
    const browser = openBrowser()
    const { accessToken: token } = await browser.signIn()
    if (sentence === ofFactors) await enrol(t, server, token)
    const { accessToken: admin } = await server.signIn()
    const [tokens, kept] = [await enter(bound, browser), await enter(free, browser)]
    const sub = String(alice.id)
    await oidc.fetchUserInfo(bound, tokens.access_token, sub)
    await end({ started, token, admin })
    await t.rejects(oidc.fetchUserInfo(bound, tokens.access_token, sub), 'userinfo')
    await expectRefusal(t, oidc.refreshTokenGrant(bound, tokens.refresh_token ?? ''), 'invalid_grant')
    if (isOutlived) {
      const next = await oidc.refreshTokenGrant(free, kept.refresh_token ?? '')
      t.match(await oidc.fetchUserInfo(free, next.access_token, sub), { sub })
      await server.operator.setEnabled('alice', false)
      await t.rejects(oidc.fetchUserInfo(free, next.access_token, sub))
    }
    await expectRefusal(t, oidc.refreshTokenGrant(free, kept.refresh_token ?? ''), 'invalid_grant')
    const stored = hash('sha256', `RefreshToken ${kept.refresh_token ?? ''}`, 'base64url')
    t.equal(await server.app.db.providerEntries.find(stored), undefined, 'also when the session is forgotten')
    if (sentence === 'deletion') return
    const [told] = await listener.toldTimes(1)
    t.match(told, {
      sub,
      sid: tokens.claims()?.['sid'],
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    await noneLeft(started)
  })

test('a session that expires is told, too, and a disabled tenant ends all', async (t) => {
  const started = await startProvider(t, { settings })
  const { server, issuer, addClient, connect, openBrowser, enter } = started
  const listener = await startListener(t, issuer)
  const tenant = await server.operator.addTenant('Other')
  await server.addUser('carol', { tenantId: tenant.id })
  const { secret } = await addClient({
    access: { tenants: [1, tenant.id], roles: [] },
    refreshTokens: 'offline',
    backchannelLogoutUri: listener.uri,
  })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn('carol', undefined, { tenantId: tenant.id })
  const tokens = await enter(configuration, browser)
  await server.operator.setTenantEnabled(tenant.id, false)
  await expectRefusal(t, oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? ''), 'invalid_grant')
  await listener.toldTimes(1)

  const next = openBrowser()
  await next.signIn()
  await enter(configuration, next)
  server.clock.advance(60 * 24 * 3600)
  t.equal(await server.app.db.transaction((inside) => inside.providerLogouts.endExpired(server.clock.now())), 1)
  await listener.toldTimes(2)
})

test('an application that does not answer is told three times, and the sign-out never waits for it', async (t) => {
  const started = await startProvider(t, { settings })
  const { server, issuer, addClient, connect, openBrowser, enter } = started
  const listener = await startListener(t, issuer)
  listener.answerWith(500)
  const { secret } = await addClient({ backchannelLogoutUri: listener.uri })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  const { accessToken: token } = await browser.signIn()
  await enter(configuration, browser)
  expectSuccess(t, await server.call('POST', '/auth/logout', { token }))
  for (const [count, pause] of [
    [1, 60],
    [2, 180],
  ] as const) {
    await settled(started)
    t.equal(listener.requests(), count)
    server.clock.advance(pause)
  }
  await noneLeft(started)
  t.equal(listener.requests(), 3)
  const message = await eventually(
    'what went wrong to be written down',
    async () => (await server.app.applications.find(operatorActor(), 'grafana')).lastError?.message,
  )
  t.match(message, /^back-channel logout: http:\/\/127/)
  t.match(server.log(), /an application was not told of a sign-out/)
})

test('an application at a private address is not told unless a setting allows it', async (t) => {
  const started = await startProvider(t)
  const { server, issuer, addClient, connect, openBrowser, enter } = started
  const listener = await startListener(t, issuer)
  const { secret } = await addClient({ backchannelLogoutUri: listener.uri })
  const browser = openBrowser()
  const { accessToken: token } = await browser.signIn()
  await enter(await connect('grafana', secret), browser)
  expectSuccess(t, await server.call('POST', '/auth/logout', { token }))
  for (const pause of [60, 180, 600]) {
    await settled(started)
    server.clock.advance(pause)
  }
  await noneLeft(started)
  t.equal(listener.requests(), 0)
})

test('an application signs somebody out: at once with a token of this session, otherwise the person is asked', async (t) => {
  const after = 'https://grafana.example.com/bye'
  const { server, issuer, addClient, connect, openBrowser, enter } = await startProvider(t, { settings })
  const listener = await startListener(t, issuer)
  const { secret } = await addClient({ postLogoutRedirectUris: [after], backchannelLogoutUri: listener.uri })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  const signIn = async () => {
    const { accessToken: token } = await browser.signIn()
    const tokens = await enter(configuration, browser)
    const isLive = async () => (await server.call('GET', '/auth/userInfo', { token })).status === 200
    return { hint: tokens.id_token ?? '', isLive }
  }
  const leave = (query: Record<string, string>, from = browser) => {
    for (const [name, value] of browser.jar) if (from === browser) browser.cookies.delete(name + value)
    return from.follow(`${issuer}/oidc/logout?${new URLSearchParams(query).toString()}`)
  }
  const one = await signIn()
  const ended = await leave({ id_token_hint: one.hint, post_logout_redirect_uri: after, state: 'x y' })
  t.equal(ended.url.href, `${after}?state=x+y`)
  t.equal(await one.isLive(), false)
  await listener.toldTimes(1)

  const two = await signIn()
  const wrong: Record<string, string>[] = [
    { id_token_hint: two.hint, post_logout_redirect_uri: `${after}/` },
    { client_id: 'grafana', post_logout_redirect_uri: 'https://evil.example' },
    { client_id: 'nobody' },
    { id_token_hint: `${two.hint}x` },
    { id_token_hint: two.hint, client_id: 'other' },
    { post_logout_redirect_uri: after },
  ]
  for (const query of wrong) t.equal((await leave(query)).response?.status, 400, JSON.stringify(query))
  t.equal(await two.isLive(), true)

  const old = await leave({ id_token_hint: one.hint, post_logout_redirect_uri: after })
  t.equal(old.response?.status, 200, 'the token of an earlier session only asks')
  const page = (await old.response?.text()) ?? ''
  t.match(page, /Grafana asks you to sign out/)
  t.match(page, /signed in as alice/)
  t.equal(await two.isLive(), true)
  const confirm = (headers: Record<string, string>) =>
    browser.post('/oidc/logout/confirm', {
      headers,
      form: { client_id: 'grafana', post_logout_redirect_uri: after },
    })
  t.equal((await confirm({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status, 400)
  t.equal(await two.isLive(), true)
  const confirmed = await confirm({ 'sec-fetch-site': 'same-origin', origin: issuer })
  t.equal(confirmed.status, 303)
  t.equal(confirmed.headers.get('location'), after)
  t.equal(await two.isLive(), false)
  t.equal((await leave({ client_id: 'grafana', post_logout_redirect_uri: after })).url.href, after, 'nobody to ask')
  t.equal((await leave({})).url.pathname, '/sign-in')
})
