import * as oidc from 'openid-client'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { redirectUri, startProvider } from './start-provider.js'

const rights = ['system:client:list', 'system:client:add', 'system:client:edit', 'system:client:delete']
const json = { id: 'grafana', name: 'Grafana', redirectUris: [redirectUri], consent: 'never' } as const

const startManaged = async (t: Parameters<typeof startProvider>[0]) => {
  const started = await startProvider(t)
  const { server } = started
  const { accessToken: admin } = await server.signIn()
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, token = admin) =>
    server.call(method, `/system/client${path}`, { token, ...(body && { json: body }) })
  return { ...started, admin, call }
}

test('an administrator adds, changes and deletes an application over HTTP, and it works', async (t) => {
  const { server, admin, call, connect, openBrowser, enter, ask } = await startManaged(t)
  const added = expectSuccess(
    t,
    await call('POST', '', { ...json, refreshTokens: 'session', access: { roles: ['staff'] } }),
  )
  t.match(added, { id: 'grafana', tenantId: 1, tenantName: 'Default', hasSecret: true, secret: /^[\w-]{43}$/ })
  t.same(added.access, { tenants: [], roles: ['staff'] })
  expectProblem(t, await call('POST', '', json), 'client_exists')
  await server.operator.addRole('staff', 'Staff', [])
  await server.operator.assign('staff', 'alice')
  const browser = openBrowser()
  await browser.signIn()
  const configuration = await connect('grafana', added.secret)
  const tokens = await enter(configuration, browser)

  const shown = expectSuccess(t, await call('GET', '/grafana'))
  t.notMatch(JSON.stringify(shown), /secretHash|oldSecret"/)
  t.notOk('secret' in shown)
  t.match(shown, { lastError: null, pendingLogouts: 0, oldSecretUntil: null })
  t.match(expectSuccess(t, await call('GET', '/page?keyword=GRAF')), { total: 1, records: [{ id: 'grafana' }] })
  t.match(expectSuccess(t, await call('GET', '/page?keyword=nothing')), { total: 0, records: [] })

  // A part of what says who may use it leaves the rest as it is.
  const changed = expectSuccess(t, await call('PATCH', '/grafana', { access: { tenants: [1] }, name: 'Graphs' }))
  t.match(changed, { name: 'Graphs', refreshTokens: 'session', access: { tenants: [1], roles: ['staff'] } })
  const none = expectSuccess(t, await call('PATCH', '/grafana', { access: { tenants: [] }, minAcr: 'aal2' }))
  t.match(none, { minAcr: 'aal2' })
  t.match(expectSuccess(t, await call('PATCH', '/grafana', { minAcr: 'aal1' })), { minAcr: 'aal1' })

  const { secret } = expectSuccess(t, await call('POST', '/grafana/secret', { overlapDays: 1 }))
  t.not(secret, added.secret)
  t.match(expectSuccess(t, await call('GET', '/grafana')), { oldSecretUntil: /^20/ })
  await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
  await oidc.refreshTokenGrant(await connect('grafana', secret), tokens.refresh_token ?? '')
  expectSuccess(t, await call('POST', '/grafana/secret', {}))
  const refused = oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '').catch((error: unknown) => error)
  t.match(await refused, { status: 401 })

  expectSuccess(t, await call('DELETE', '/grafana'))
  expectProblem(t, await call('DELETE', '/grafana'), 'not_found')
  t.equal((await browser.follow((await ask(configuration)).url)).response?.status, 400)
  const { records } = expectSuccess(
    t,
    await server.call('GET', '/system/audit/page?targetType=client&pageSize=50', { token: admin }),
  )
  const actions = (records as { action: string }[]).map(({ action }) => action)
  t.same(new Set(actions), new Set(['client.add', 'client.change', 'client.secret', 'client.delete']))
})

test('what is wrong with an application is told at its field', async (t) => {
  const { call, server } = await startManaged(t)
  const rows: [body: object, field: string][] = [
    [{ name: 'A' }, 'redirectUris'],
    [{ ...json, name: '' }, 'name'],
    [{ ...json, name: '\u200b' }, 'name'],
    [{ ...json, id: 'page' }, 'id'],
    [{ ...json, id: 'a/b' }, 'id'],
    [{ ...json, redirectUris: [] }, 'redirectUris'],
    [{ ...json, redirectUris: ['http://grafana.example.com/x'] }, 'redirectUris.0'],
    [{ ...json, redirectUris: [redirectUri, 'https://*.example.com/x'] }, 'redirectUris.1'],
    [{ ...json, redirectUris: ['https://grafana.example.com/x#y'] }, 'redirectUris.0'],
    [{ ...json, redirectUris: ['com.example.app:/back'] }, 'redirectUris.0'],
    [{ ...json, type: 'public', pkce: 'optional' }, 'pkce'],
    [{ ...json, scopes: ['profile'] }, 'scopes'],
    [{ ...json, scopes: ['openid', 'mail'] }, 'scopes.1'],
    [{ ...json, tenantId: 99 }, 'tenantId'],
    [{ ...json, access: { tenants: [99] } }, 'access.tenants'],
    [{ ...json, backchannelLogoutUri: 'nowhere' }, 'backchannelLogoutUri'],
    [{ ...json, homeUrl: 'javascript:alert(1)' }, 'homeUrl'],
    [{ ...json, minAcr: 'aal3' }, 'minAcr'],
  ]
  for (const [body, field] of rows) expectProblem(t, await call('POST', '', body), 'invalid_request', [field])
  t.match(expectSuccess(t, await call('GET', '/page')), { total: 0 })
  expectSuccess(t, await call('POST', '', json))
  expectProblem(t, await call('PATCH', '/grafana', { name: null }), 'invalid_request', ['name'])
  expectProblem(t, await call('PATCH', '/grafana', { redirectUris: ['http://a.example/'] }), 'invalid_request')
  expectProblem(t, await call('POST', '/grafana/secret', { overlapDays: 91 }), 'invalid_request', ['overlapDays'])
  expectSuccess(t, await call('POST', '', { ...json, id: 'spa', type: 'public' }))
  expectProblem(t, await call('POST', '/spa/secret', {}), 'invalid_request', ['id'])
  for (const [method, path] of [
    ['GET', '/nobody'],
    ['PATCH', '/nobody'],
    ['DELETE', '/nobody'],
    ['POST', '/nobody/secret'],
    ['GET', '/nobody/claims?userId=1'],
    ['GET', '/grafana/claims?userId=99'],
  ] as const)
    expectProblem(t, await call(method, path, method === 'PATCH' || method === 'POST' ? {} : undefined), 'not_found')
  t.equal(server.app.installation.settings.provider.enabled, true)
})

test('who sees one tenant has applications for its people only', async (t) => {
  const { server, call } = await startManaged(t)
  const { operator } = server
  const { id: tenantId } = await operator.addTenant('Other')
  await operator.addRole('keeper', 'Keeper', rights, tenantId)
  const carol = await server.addUser('carol', { tenantId, userType: 1, roles: ['keeper'], email: 'carol@example.com' })
  const { accessToken: keeper } = await server.signIn('carol', undefined, { tenantId })
  const asKeeper = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    call(method, path, body, keeper)
  expectSuccess(t, await call('POST', '', json))
  for (const [method, path] of [
    ['GET', '/grafana'],
    ['PATCH', '/grafana'],
    ['DELETE', '/grafana'],
    ['POST', '/grafana/secret'],
    ['GET', `/grafana/claims?userId=${carol.id}`],
  ] as const)
    expectProblem(
      t,
      await asKeeper(method, path, method === 'PATCH' || method === 'POST' ? {} : undefined),
      'not_found',
    )
  t.match(expectSuccess(t, await asKeeper('GET', '/page')), { total: 0 })
  t.match(expectSuccess(t, await asKeeper('GET', '/page?tenantId=1')), { total: 0 })
  expectProblem(t, await asKeeper('POST', '', { ...json, id: 'wiki', tenantId: 1 }), 'invalid_request', ['tenantId'])
  const open = { ...json, id: 'wiki', access: { tenants: [1, tenantId] } }
  expectProblem(t, await asKeeper('POST', '', open), 'invalid_request', ['access.tenants'])
  t.match(expectSuccess(t, await asKeeper('POST', '', { ...json, id: 'wiki' })), { tenantId })
  expectProblem(t, await asKeeper('PATCH', '/wiki', { access: { tenants: [1] } }), 'invalid_request', [
    'access.tenants',
  ])
  expectProblem(t, await asKeeper('GET', '/wiki/claims?userId=1'), 'not_found')
  t.match(expectSuccess(t, await asKeeper('GET', `/wiki/claims?userId=${carol.id}`)), { refusal: null })

  expectSuccess(t, await call('PATCH', '/wiki', { access: { tenants: [1, tenantId] } }))
  t.match(expectSuccess(t, await asKeeper('GET', '/wiki')), { access: { tenants: [1, tenantId] } })
  expectProblem(t, await asKeeper('PATCH', '/wiki', { name: 'Mine' }), 'permission_denied')
  expectProblem(t, await asKeeper('POST', '/wiki/secret', {}), 'permission_denied')
  expectProblem(t, await asKeeper('DELETE', '/wiki'), 'permission_denied')
  t.match(expectSuccess(t, await call('GET', '/page?orderByColumn=tenantId&isAsc=desc')), {
    total: 2,
    records: [{ id: 'wiki' }, { id: 'grafana' }],
  })
  expectProblem(t, await call('GET', '/page?orderByColumn=secret'), 'invalid_request', ['orderByColumn'])
})

test('each route needs its permission', async (t) => {
  const { server, call } = await startManaged(t)
  expectSuccess(t, await call('POST', '', json))
  const rows = [
    ['system:client:list', 'GET', '/page'],
    ['system:client:list', 'GET', '/grafana'],
    ['system:client:list', 'GET', '/grafana/claims?userId=1'],
    ['system:client:add', 'POST', '', { ...json, id: 'other' }],
    ['system:client:edit', 'PATCH', '/grafana', {}],
    ['system:client:edit', 'POST', '/grafana/secret', {}],
    ['system:client:delete', 'DELETE', '/grafana'],
  ] as const
  for (const [needed, method, path, body] of rows) {
    const name = `p${rows.findIndex((row) => row[2] === path && row[1] === method)}`
    await server.operator.addRole(
      `${name}-not`,
      name,
      rights.filter((one) => one !== needed),
    )
    await server.operator.addRole(name, name, [needed])
    await server.addUser(`${name}-not`, { roles: [`${name}-not`] })
    await server.addUser(name, { roles: [name] })
    const { accessToken: without } = await server.signIn(`${name}-not`)
    expectProblem(t, await call(method, path, body, without), 'permission_denied')
    const { accessToken: having } = await server.signIn(name)
    expectSuccess(t, await call(method, path, body, having))
  }
})

test('what an application would get, and what is left out and why', async (t) => {
  const { server, call } = await startManaged(t)
  await server.operator.addRole('reader', 'Reader', ['system:client:list'])
  await server.addUser('reader', { roles: ['reader'] })
  const dora = await server.addUser('dora', {
    email: 'dora.long@example.com',
    phone: '+8613800000000',
    avatar: 'data:image/png;base64,iVBORw0KGgo=',
  })
  expectSuccess(t, await call('POST', '', { ...json, scopes: ['openid', 'profile', 'email', 'groups'] }))
  const claims = async (token?: string) =>
    expectSuccess(t, await call('GET', `/grafana/claims?userId=${dora.id}`, undefined, token))
  const first = await claims()
  t.match(first, { refusal: null, userinfo: { sub: String(dora.id), preferred_username: 'dora', groups: [] } })
  const reasons = (preview: typeof first) =>
    Object.fromEntries(preview.leftOut.map(({ claim, reason }: { claim: string; reason: string }) => [claim, reason]))
  t.same(reasons(first), {
    picture: 'not_https',
    gender: 'absent',
    email: 'not_verified',
    email_verified: 'not_verified',
    phone_number: 'scope',
    phone_number_verified: 'scope',
    tenant_id: 'scope',
    tenant_name: 'scope',
  })
  expectSuccess(
    t,
    await call('PATCH', '/grafana', {
      unverifiedEmail: true,
      minimalIdToken: true,
      scopes: ['openid', 'email', 'phone'],
    }),
  )
  const second = await claims()
  t.same(second.idToken, { sub: String(dora.id) })
  t.match(second.userinfo, { email: 'dora.long@example.com', email_verified: false })
  t.match(reasons(second), { email: 'userinfo_only', phone_number: 'not_verified', name: 'scope' })
  const { accessToken: reader } = await server.signIn('reader')
  t.equal((await claims(reader)).userinfo.email, 'd******g@example.com')

  expectSuccess(t, await call('PATCH', '/grafana', { access: { roles: ['board'] } }))
  t.equal((await claims()).refusal, 'role')
  expectSuccess(t, await call('PATCH', '/grafana', { access: { roles: [] } }))
  await server.operator.setEnabled('dora', false)
  t.equal((await claims()).refusal, 'account')
})
