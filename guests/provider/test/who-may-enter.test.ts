import * as oidc from 'openid-client'
import { test } from 'tap'
import { expectRefusal, startProvider, wayBack } from './start-provider.js'

test('only people of its tenant with one of its roles use an application, asked each time', async (t) => {
  const { server, addClient, connect, openBrowser, ask, enter, alice } = await startProvider(t)
  await server.operator.addRole('staff', 'Staff', [])
  const { secret } = await addClient({ access: { tenants: [], roles: ['staff', 'board'] }, refreshTokens: 'session' })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  const denied = await browser.follow((await ask(configuration)).url)
  t.equal(denied.response?.status, 403)
  const page = (await denied.response?.text()) ?? ''
  t.match(page, /You may not use Grafana/)
  t.match(page, /You are signed in as alice/)
  t.match(page, /Back to Grafana/)
  t.match(Object.fromEntries((await browser.follow(wayBack(page))).url.searchParams), { error: 'access_denied' })
  const silent = await browser.follow((await ask(configuration, { prompt: 'none' })).url)
  t.match(Object.fromEntries(silent.url.searchParams), { error: 'access_denied' })

  await server.operator.assign('staff', 'alice')
  const tokens = await enter(configuration, browser)
  await oidc.fetchUserInfo(configuration, tokens.access_token, String(alice.id))
  await server.operator.setRoles(alice.id, [])
  await t.rejects(oidc.fetchUserInfo(configuration, tokens.access_token, String(alice.id)))
  await expectRefusal(t, oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? ''), 'invalid_grant')

  const tenant = await server.operator.addTenant('Other')
  await server.addUser('carol', { tenantId: tenant.id })
  const other = openBrowser()
  await other.signIn('carol', undefined, { tenantId: tenant.id })
  const foreign = await other.follow((await ask(configuration)).url)
  t.equal(foreign.response?.status, 403)
  t.match(await foreign.response?.text(), /not open to people of your organization/)
})

test('people of another tenant come to the sign-in of their tenant', async (t) => {
  const { server, issuer, addClient, connect, openBrowser, ask, enter } = await startProvider(t)
  const tenant = await server.operator.addTenant('Other')
  await server.addUser('carol', { tenantId: tenant.id })
  const signInOf = async (id: string, more: object) => {
    const { secret } = await addClient({ id, name: id, ...more })
    const configuration = await connect(id, secret)
    const { url } = await openBrowser().follow((await ask(configuration)).url)
    t.equal(url.pathname, '/sign-in')
    return { tenant: url.searchParams.get('tenant'), configuration }
  }
  const own = await signInOf('own', { tenantId: tenant.id })
  t.equal(own.tenant, String(tenant.id))
  t.equal((await signInOf('opened', { access: { tenants: [tenant.id], roles: [] } })).tenant, String(tenant.id))
  t.equal((await signInOf('default', {})).tenant, null)
  t.equal((await signInOf('both', { access: { tenants: [1, tenant.id], roles: [] } })).tenant, null, 'not known')
  const browser = openBrowser()
  await browser.signIn('carol', undefined, { tenantId: tenant.id })
  const tokens = await enter(own.configuration, browser)
  t.match(tokens.claims(), { preferred_username: 'carol' })
  const { url } = await browser.follow(`${issuer}/oidc/logout?id_token_hint=${tokens.id_token ?? ''}`)
  t.equal(url.href, `${issuer}/sign-in?tenant=${tenant.id}`, 'and after a sign-out')
})

test('names are unique across the tenants of an application, and only verified addresses are told', async (t) => {
  const { server, addClient, connect, openBrowser, enter } = await startProvider(t)
  const tenant = await server.operator.addTenant('Other')
  const { secret } = await addClient({ access: { tenants: [1, tenant.id], roles: [] } })
  const { secret: lax } = await addClient({ id: 'lax', unverifiedEmail: true, minimalIdToken: false })
  const { secret: small } = await addClient({ id: 'small', minimalIdToken: true, idTokenAlgorithm: 'ES256' })
  const dora = await server.addUser('dora', { email: 'dora@example.com', phone: '+8613800000000' })
  const browser = openBrowser()
  await browser.signIn('dora')
  const shared = await connect('grafana', secret)
  const claims = async (configuration: oidc.Configuration) => (await enter(configuration, browser)).claims() ?? {}
  t.match(await claims(shared), { preferred_username: 'dora@tenant-1' })
  t.notOk('email' in (await claims(shared)))
  t.match(await claims(await connect('lax', lax)), {
    preferred_username: 'dora',
    email: 'dora@example.com',
    email_verified: false,
  })
  await server.app.db.verifiedContacts.add(dora.id, { kind: 'email', text: 'dora@example.com' }, 1)
  t.match(await claims(shared), { email: 'dora@example.com', email_verified: true })
  const minimal = await connect('small', small)
  const tokens = await enter(minimal, browser)
  t.notOk('preferred_username' in (tokens.claims() ?? {}))
  t.match(await oidc.fetchUserInfo(minimal, tokens.access_token, String(dora.id)), { preferred_username: 'dora' })
})

test('a session that is not enough leads to the sign-in, and a new one is', async (t) => {
  const { server, addClient, connect, openBrowser, ask } = await startProvider(t)
  const { secret } = await addClient()
  const { secret: strict } = await addClient({ id: 'strict', name: 'Strict', minAcr: 'aal2' })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  server.clock.advance(100)
  const signInAgain = async (more: Record<string, string>) => {
    const { url: page } = await browser.follow((await ask(configuration, more)).url)
    t.equal(page.pathname, '/sign-in', JSON.stringify(more))
    const back = new URL(`/oidc/interactions/${page.searchParams.get('interaction') ?? ''}`, page)
    t.equal((await browser.follow(back)).url.pathname, '/sign-in', 'the session of before is not enough')
    await browser.signIn()
    t.ok((await browser.follow(back)).url.searchParams.get('code'), JSON.stringify(more))
  }
  await signInAgain({ prompt: 'login' })
  server.clock.advance(100)
  await signInAgain({ max_age: '60' })
  const young = await browser.follow((await ask(configuration, { max_age: '60' })).url)
  t.ok(young.url.searchParams.get('code'))
  const silent = (await browser.follow((await ask(configuration, { prompt: 'none', acr_values: 'aal2' })).url)).url
  t.equal(silent.searchParams.get('error'), 'login_required')
  const either = (await browser.follow((await ask(configuration, { prompt: 'none', acr_values: 'aal2 aal1' })).url)).url
  t.ok(either.searchParams.get('code'))
  const asked = (await browser.follow((await ask(await connect('strict', strict), { prompt: 'none' })).url)).url
  t.equal(asked.searchParams.get('error'), 'login_required')
})
