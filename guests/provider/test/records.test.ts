import * as oidc from 'openid-client'
import { test } from 'tap'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { reportsSecret, sha256 } from '../../../test/helpers/service/resource-server.js'
import { startProvider } from './start-provider.js'

test('a sign-in to an application is in the login log and in the metrics, and so is a refusal', async (t) => {
  const started = await startProvider(t, { environment: { METRICS_PORT: '0' } })
  const { server, addClient, connect, openBrowser, enter, ask } = started
  const { secret } = await addClient({ refreshTokens: 'session' })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  const tokens = await enter(configuration, browser)
  await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
  await oidc.refreshTokenGrant(await connect('grafana', 'wrong'), 'x').catch(() => undefined)
  await oidc.refreshTokenGrant(await connect('nobody', 'wrong'), 'x').catch(() => undefined)
  await browser.follow((await ask(configuration, { prompt: 'none', max_age: '0' })).url)

  const { accessToken: token } = await server.signIn()
  const page = await server.call('GET', '/system/login-log/page?authType=sso', { token })
  const { records, total } = expectSuccess(t, page)
  t.equal(total, 1)
  t.match(records, [{ subject: 'alice', userClient: 'grafana', authType: 'sso', reason: null, address: '127.0.0.1' }])
  const own = await server.call('GET', '/system/login-log/page?subject=alice&authType=password', { token })
  t.equal(expectSuccess(t, own).total, 1, 'the sign-in itself is a row of its own')

  const text = await (await fetch(`http://127.0.0.1:${server.app.metrics?.port ?? 0}/metrics`)).text()
  t.match(text, 'rollcall_sso_authorizations_total{client="grafana"} 1')
  t.match(text, 'rollcall_sso_tokens_total{client="grafana",grant="authorization_code"} 1')
  t.match(text, 'rollcall_sso_tokens_total{client="grafana",grant="refresh_token"} 1')
  t.match(text, 'rollcall_sso_refusals_total{client="grafana",reason="invalid_client"} 1')
  t.match(text, 'rollcall_sso_refusals_total{client="",reason="invalid_client"} 1')
  t.match(text, 'rollcall_sso_refusals_total{client="grafana",reason="login_required"} 1')
  t.match(text, 'rollcall_sso_pending_logouts 0')
  t.notMatch(text, 'nobody')
})

test('a service asks about the token of an application as about one of Rollcall', async (t) => {
  const clients = [
    { id: 'reports', secret: sha256(reportsSecret) },
    { id: 'narrow', secret: sha256(reportsSecret), audience: 'reports' },
  ]
  const started = await startProvider(t, { settings: { introspection: { clients } } })
  const { server, issuer, alice, addClient, connect, openBrowser, enter } = started
  const { secret } = await addClient()
  const browser = openBrowser()
  const { accessToken } = await browser.signIn()
  const tokens = await enter(await connect('grafana', secret), browser)
  const introspect = async (token: string, id = 'reports') => {
    const response = await fetch(`${issuer}/auth/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:${reportsSecret}`).toString('base64')}` },
      body: new URLSearchParams({ token }),
    })
    return (await response.json()) as Record<string, any>
  }
  const found = await introspect(tokens.access_token)
  t.match(found, {
    ...{ active: true, token_type: 'Bearer', iss: issuer, sub: String(alice.id), client_id: 'grafana', tid: 1 },
    ...{ username: 'alice', scope: 'openid profile email groups tenant', roles: [] },
  })
  t.ok(Math.abs(found['exp'] - server.clock.now() / 1000 - 3600) < 30)
  t.notOk('permissions' in found, 'what Rollcall itself allows is not in it')
  t.same(await introspect(tokens.access_token, 'narrow'), { active: false }, 'a token without an audience')
  t.match(await introspect(accessToken), { active: true, client_id: 'pc' })
  t.same(await introspect(tokens.id_token ?? ''), { active: false })
  t.same(await introspect('x'.repeat(43)), { active: false })
  await server.operator.setEnabled('alice', false)
  t.same(await introspect(tokens.access_token), { active: false })
})

test('of one person the latest grants and tokens are kept, however often applications ask', async (t) => {
  const { server, alice, addClient, connect, openBrowser, enter } = await startProvider(t)
  const { db, clock } = server.app
  const { secret } = await addClient()
  const configuration = await connect('grafana', secret)
  const now = clock.now()
  const entry = { encryptedPayload: '', clientId: 'grafana', sessionId: null, userId: alice.id, isOffline: false }
  for (let index = 0; index < 800; index++)
    await db.providerEntries.put({
      ...{ ...entry, idHash: `old ${index}`, kind: 'AccessToken', grantId: `grant ${index % 205}` },
      // The oldest live longest: how long something lives says nothing of its age.
      ...{ createTime: now - 2000 + index, expiry: now + 100_000_000 - index },
    })
  await db.providerEntries.put({
    ...{ ...entry, idHash: 'refresh', kind: 'RefreshToken', grantId: 'grant 100' },
    ...{ createTime: now - 3000, expiry: now + 1000 },
  })
  for (let index = 0; index < 205; index++)
    await db.providerGrants.add({
      ...{ id: `grant ${index}`, userId: alice.id, clientId: 'grafana', sessionId: `gone ${index}`, sid: null },
      ...{ scopes: ['openid'], createTime: now, lastUsedTime: now - 1000 + index, expiry: now + 1_000_000 },
    })
  const browser = openBrowser()
  await browser.signIn()
  const tokens = await enter(configuration, browser)
  t.match(await oidc.fetchUserInfo(configuration, tokens.access_token, String(alice.id)), { name: 'alice' })
  const grants = await db.providerGrants.ofUser(alice.id)
  t.equal(grants.length, 200)
  t.notOk(grants.some(({ id }) => id === 'grant 0'))
  t.equal(await db.providerEntries.find('old 0'), undefined, 'with its tokens')
  t.equal(await db.providerEntries.find('old 100'), undefined, 'and the oldest of those that are left')
  t.ok(await db.providerEntries.find('old 799'))
  t.ok(await db.providerEntries.find('refresh'), 'access tokens push no refresh token out')
})

test('what the library writes by itself is a line of the log', async (t) => {
  const [written, lines]: string[][] = [[], []]
  const push = (to: string[] | undefined) => (text: string) => void to?.push(text)
  const { info, warn } = console
  Object.assign(console, { warn: push(written) })
  t.teardown(() => void Object.assign(console, { info, warn }))
  const { divertConsole } = await import('../engine/notices.js')
  const restore = divertConsole({ info: push(lines), warn: push(lines) } as never)
  const { info: notice, warn: warning } = console
  warning('oidc-provider WARNING: a')
  notice('oidc-provider NOTICE: b')
  restore()
  t.same(lines, ['oidc-provider WARNING: a', 'oidc-provider NOTICE: b'])
  console.warn('later') // eslint-disable-line no-console
  t.same(written, ['later'])
})
