import * as oidc from 'openid-client'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { ownPage } from '../../../test/helpers/service/page-browser.js'
import { expectRefusal, redirectUri, startProvider } from './start-provider.js'

test('an application gets to know somebody only once the person has allowed it, and only what was allowed, until the person ends it (ASVS 10.4.9)', async (t) => {
  const { server, alice, addClient, connect, openBrowser, ask, enter } = await startProvider(t)
  const { secret } = await addClient({ consent: 'once', refreshTokens: 'session' })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  const { accessToken: token } = await browser.signIn()
  const silent = await browser.follow((await ask(configuration, { prompt: 'none' })).url)
  t.equal(silent.url.searchParams.get('error'), 'consent_required')

  const asked = async (more: Record<string, string> = {}) => {
    const { url, exchange } = await ask(configuration, more)
    const { url: page } = await browser.follow(url)
    t.equal(page.pathname, '/sign-in')
    const path = `/oidc/interactions/${page.searchParams.get('interaction') ?? ''}`
    const answer = async (json: object, headers: Record<string, string> = ownPage) => {
      for (const [name, value] of browser.cookies) browser.jar.set(name, value)
      const said = await browser.post(`${path}/consent`, { headers, json })
      for (const name of browser.cookies.keys()) browser.jar.delete(name)
      return said
    }
    return { page, path, answer, exchange }
  }
  const first = await asked({ scope: 'openid profile' })
  const details = await browser.get(new URL(`${first.path}/details`, first.page).href)
  t.match(((await details.json()) as { data: object }).data, {
    prompt: 'consent',
    scopes: ['openid', 'profile'],
    redirectHost: 'grafana.example.com',
  })
  for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
    expectProblem(t, await first.answer({ accept: true }, headers as Record<string, string>), 'cross_site_form')
  const refused = expectSuccess(t, await first.answer({ accept: false }))
  t.match(Object.fromEntries((await browser.follow(refused.redirectTo as string)).url.searchParams), {
    error: 'access_denied',
  })
  t.same(expectSuccess(t, await server.call('GET', '/auth/grants', { token })), [], 'it has asked, and got nothing')

  const second = await asked({ scope: 'openid profile' })
  const allowed = expectSuccess(t, await second.answer({ accept: true }))
  const { url: callback } = await browser.follow(allowed.redirectTo as string)
  t.equal(callback.origin + callback.pathname, redirectUri)
  const tokens = await second.exchange(callback)
  t.match(tokens.claims(), { preferred_username: 'alice' })
  expectProblem(t, await second.answer({ accept: true }), 'not_found')
  t.ok(
    (await enter(configuration, browser, { scope: 'openid profile', prompt: 'none' })).access_token,
    'not asked again',
  )
  const more = await asked({ scope: 'openid profile groups' })
  t.ok(more.page, 'asked for what is new')
  await asked({ scope: 'openid profile', prompt: 'consent' })

  const other = openBrowser()
  await other.signIn()
  t.ok(
    (await enter(configuration, other, { scope: 'openid profile', prompt: 'none' })).access_token,
    'in another session, too',
  )
  const grants = expectSuccess(t, await server.call('GET', '/auth/grants', { token }))
  t.match(grants, [{ id: 'grafana', client: { name: 'Grafana' }, scopes: ['openid', 'profile'] }])
  expectSuccess(t, await server.call('DELETE', '/auth/grants/grafana', { token }))
  await t.rejects(oidc.fetchUserInfo(configuration, tokens.access_token, String(alice.id)))
  await expectRefusal(t, oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? ''), 'invalid_grant')
  expectProblem(t, await server.call('DELETE', '/auth/grants/grafana', { token }), 'not_found')
  t.equal(
    (await other.follow((await ask(configuration, { prompt: 'none' })).url)).url.searchParams.get('error'),
    'consent_required',
  )
  const { accessToken: admin } = await server.signIn()
  const rows = expectSuccess(
    t,
    await server.call('GET', '/system/audit/page', { token: admin, query: { pageSize: 2 } }),
  )
  t.match(rows.records, [{ action: 'grant.end' }, { action: 'grant.add' }])
})

test('an app on a device is asked for each time', async (t) => {
  const { addClient, connect, openBrowser, ask } = await startProvider(t)
  await addClient({
    id: 'app',
    type: 'native',
    consent: 'never',
    redirectUris: ['http://127.0.0.1/back', 'com.example.app:/back'],
  })
  const configuration = await connect('app')
  const browser = openBrowser()
  await browser.signIn()
  for (const uri of ['http://127.0.0.1:54321/back', 'com.example.app:/back']) {
    const { url } = await browser.follow((await ask(configuration, { redirect_uri: uri })).url)
    t.equal(url.pathname, '/sign-in', uri)
  }
  const wrong = await browser.follow((await ask(configuration, { redirect_uri: 'http://127.0.0.1:54321/other' })).url)
  t.equal(wrong.response?.status, 400)
})
