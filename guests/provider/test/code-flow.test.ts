import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { test } from 'tap'
import { redirectUri, startProvider } from './start-provider.js'

test('an application signs somebody in who is signed in already', async (t) => {
  const { server, issuer, alice, addClient, connect, openBrowser, enter } = await startProvider(t)
  const { secret } = await addClient()
  await server.operator.addRole('editor', 'Editor', [])
  await server.operator.assign('editor', 'alice')
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  const tokens = await enter(configuration, browser)

  const { payload, protectedHeader } = await jwtVerify(
    tokens.id_token ?? '',
    createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`)),
    { issuer, audience: 'grafana' },
  )
  t.equal(protectedHeader.alg, 'RS256')
  t.match(payload, {
    sub: String(alice.id),
    aud: 'grafana',
    acr: 'aal1',
    amr: ['pwd'],
    auth_time: Math.floor(server.clock.now() / 1000),
    preferred_username: 'alice',
    groups: ['editor'],
    roles: ['editor'],
    tenant_id: 1,
  })
  t.type(payload['sid'], 'string')
  t.notOk('email' in payload, 'nobody has verified it')
  t.equal(tokens.refresh_token, undefined)
  const info = await oidc.fetchUserInfo(configuration, tokens.access_token, String(alice.id))
  t.match(info, { sub: String(alice.id), preferred_username: 'alice', groups: ['editor'] })
  t.notOk(tokens.access_token.includes('.'), 'an opaque token')

  const own = await server.call('GET', '/auth/userInfo', { token: tokens.access_token })
  t.equal(own.status, 401, 'it opens nothing of the service itself')
  const { accessToken } = await server.signIn('alice')
  const foreign = await fetch(`${issuer}/oidc/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
  t.equal(foreign.status, 401, 'nor does a token of the service open userinfo')
  for (const one of [tokens.access_token, tokens.id_token, secret])
    t.notOk(server.log().includes(one ?? '?'), 'nothing of it is logged')
})

test('somebody who is not signed in signs in on the page and comes back', async (t) => {
  const { addClient, connect, openBrowser, ask } = await startProvider(t)
  const { secret } = await addClient()
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  const { url, exchange } = await ask(configuration, { login_hint: 'alice', ui_locales: 'zh' })
  const { url: page } = await browser.follow(url)
  t.equal(page.pathname, '/sign-in')
  t.equal(page.searchParams.get('lang'), 'zh')
  const uid = page.searchParams.get('interaction') ?? ''
  const details = await browser.get(new URL(`/oidc/interactions/${uid}/details`, page).href)
  t.match(((await details.json()) as { data: object }).data, {
    client: { id: 'grafana', name: 'Grafana' },
    loginHint: 'alice',
    reasons: ['no_session'],
  })
  t.equal((await browser.follow(new URL(`/oidc/interactions/${uid}`, page))).url.pathname, '/sign-in', 'not yet')
  await browser.signIn()
  const { url: callback } = await browser.follow(new URL(`/oidc/interactions/${uid}`, page))
  t.equal(callback.origin + callback.pathname, redirectUri)
  t.ok(callback.searchParams.get('iss'))
  const { access_token: token } = await exchange(callback)
  t.ok(token)

  const again = await browser.follow(new URL(`/oidc/interactions/${uid}`, page))
  t.equal(again.response?.status, 404, 'it is used')
  t.match(await again.response?.text(), /此次登录已结束|This sign-in is over/)
  const stranger = await openBrowser().follow(new URL(`/oidc/interactions/${uid}`, page))
  t.equal(stranger.response?.status, 404)
})
