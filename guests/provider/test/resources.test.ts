import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { userTypes } from '../../../schemas/user.js'
import { expectRefusal, redirectUri, startProvider } from './start-provider.js'

const notes = 'https://notes.example.com/mcp'
const files = 'https://files.example.com'

const resources = [
  { id: notes, name: 'Notes', scopes: ['notes:read', 'notes:write'], access: { roles: ['writer'] } },
  { id: files, name: 'Files', scopes: ['files:read'] },
]

const start = async (t: Test, more = {}) => {
  const started = await startProvider(t, { settings: { provider: { resources }, ...more } })
  const keys = createRemoteJWKSet(new URL(`${started.issuer}/.well-known/jwks.json`))
  await started.server.operator.addRole('writer', 'Writer', [])
  return {
    ...started,
    /** As the service does it. */
    verify: async (token: string, audience = notes) =>
      (await jwtVerify(token, keys, { issuer: started.issuer, audience, typ: 'at+jwt', algorithms: ['ES256'] }))
        .payload,
  }
}

test('an application gets a signed token for a service, which nobody else takes', async (t) => {
  const { server, issuer, alice, addClient, connect, openBrowser, ask, verify } = await start(t)
  const { secret } = await addClient({ resources: [notes, files], refreshTokens: 'session' })
  const configuration = await connect('grafana', secret)
  await server.operator.assign('writer', 'alice')
  const browser = openBrowser()
  const { accessToken } = await browser.signIn()
  const { url, exchange } = await ask(configuration, { scope: 'openid profile notes:read', resource: notes })
  const { url: callback } = await browser.follow(url)
  const tokens = await exchange(callback, { resource: notes })
  const payload = await verify(tokens.access_token)
  const { iat = 0, exp, jti, ...rest } = payload
  t.same(rest, { iss: issuer, sub: String(alice.id), aud: notes, client_id: 'grafana', scope: 'notes:read' })
  t.equal(exp, iat + 600)
  t.ok(jti)
  t.match(tokens, { expires_in: 600, scope: 'notes:read' })
  t.match(tokens.claims(), { sub: String(alice.id), name: 'alice' })

  await t.rejects(oidc.fetchUserInfo(configuration, tokens.access_token, String(alice.id)), 'userinfo')
  for (const path of ['/auth/userInfo', '/system/user/page', '/auth/factors'])
    expectProblem(t, await server.call('GET', path, { token: tokens.access_token }), 'token_invalid')
  await t.rejects(verify(accessToken), 'nor does the service take a token of Rollcall')
  await t.rejects(verify(tokens.id_token ?? ''), 'or an ID token')

  const again = (resource?: string) =>
    oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '', resource === undefined ? {} : { resource })
  t.match(await verify((await again(notes)).access_token), { scope: 'notes:read' })
  const own = await again()
  t.match(await oidc.fetchUserInfo(configuration, own.access_token, String(alice.id)), { name: 'alice' })
  await expectRefusal(t, again(files), 'invalid_target', 'the sign-in was not for it')

  await server.operator.setRoles(alice.id, [])
  await expectRefusal(t, again(notes), 'invalid_grant', 'the service asks for a role')
  const denied = await browser.follow((await ask(configuration, { resource: notes })).url)
  t.equal(denied.response?.status, 403)
  const { url: other } = await browser.follow((await ask(configuration, { resource: files })).url)
  t.ok(other.searchParams.has('code'), 'another service does not')
})

test('the person is asked what an application may do at a service, and who names no scope asks for all', async (t) => {
  const { server, alice, addClient, connect, openBrowser, ask, answer, verify } = await start(t)
  await server.operator.assign('writer', 'alice')
  const { secret } = await addClient({ resources: [notes, files], consent: 'once' })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  const { accessToken: token } = await browser.signIn()
  const { url, exchange } = await ask(configuration, { scope: 'openid', resource: notes })
  const { details, url: callback } = await answer(browser, url, { accept: true })
  t.match(details, {
    ...{ prompt: 'consent', isDocument: false, scopes: ['openid'] },
    resources: [{ id: notes, name: 'Notes', scopes: ['notes:read', 'notes:write'] }],
  })
  t.match(await verify((await exchange(callback, { resource: notes })).access_token), {
    scope: 'notes:read notes:write',
  })
  const silent = async (more: Record<string, string>) => {
    const { url: end } = await browser.follow((await ask(configuration, { prompt: 'none', ...more })).url)
    return end.searchParams.get('error') ?? 'code'
  }
  t.equal(await silent({ scope: 'openid notes:read', resource: notes }), 'code', 'what was allowed is not asked again')
  t.equal(await silent({ scope: 'openid', resource: `${files}/` }), 'consent_required', 'another service is')
  t.equal(await silent({ scope: 'openid profile', resource: notes }), 'consent_required')

  const { url: wanted } = await ask(configuration, { scope: 'openid', resource: `${files}/` })
  const { url: refused } = await answer(browser, wanted, { accept: false })
  t.equal(refused.searchParams.get('error'), 'access_denied')
  const { exchange: exchangeFiles, url: begin } = await ask(configuration, { scope: 'openid', resource: `${files}/` })
  const { url: allowed } = await answer(browser, begin, { accept: true })
  const forFiles = await exchangeFiles(allowed, { resource: `${files}/` })
  t.match(
    await verify(forFiles.access_token, files),
    { scope: 'files:read', aud: files },
    'a host has no slash of its own',
  )

  const [grant] = expectSuccess<{ scopes: string[] }[]>(t, await server.call('GET', '/auth/grants', { token }))
  const kept = ['openid', `${notes}#notes:read`, `${notes}#notes:write`, `${files}#files:read`]
  t.same(new Set(grant?.scopes), new Set(kept))
  expectSuccess(t, await server.call('DELETE', '/auth/grants/grafana', { token }))
  t.same(await server.app.db.providerGrants.ofUser(alice.id), [])
  t.equal(await silent({ scope: 'openid notes:read', resource: notes }), 'consent_required')
})

test('a service that is unknown, or not for the application, is refused at its address', async (t) => {
  const { server, issuer, addClient, connect, openBrowser, ask } = await start(t)
  const { secret } = await addClient({ resources: [files] })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  const wrong = [
    notes,
    'https://other.example.com/',
    `${files}/x`,
    `${files}#x`,
    'rollcall',
    'reports',
    files.toUpperCase(),
  ]
  for (const resource of wrong) {
    const { url, state } = await ask(configuration, { resource })
    const { url: end } = await browser.follow(url)
    t.match(Object.fromEntries(end.searchParams), { error: 'invalid_target', state, iss: issuer }, resource)
    t.notOk(end.searchParams.has('code'), resource)
  }
  t.match(server.log(), /notes\.example\.com\/mcp is none of the resources of the application/)
  const { url, exchange } = await ask(configuration, { resource: files })
  const { url: callback } = await browser.follow(url)
  await expectRefusal(t, exchange(callback, { resource: notes }), 'invalid_target')
})

test('an application gets tokens as a service account, as long as that may sign in and use the service', async (t) => {
  const { server, addClient, connect, verify, issuer } = await start(t, {
    introspection: { clients: [] },
  })
  const { operator } = server
  const bot = await operator.addUser({
    username: 'bot',
    userType: userTypes.service,
    roles: ['writer'],
    forcePasswordChange: false,
  })
  const { secret } = await addClient({
    id: 'nightly',
    name: 'Nightly',
    redirectUris: [],
    resources: [notes, files],
    serviceAccount: bot.id,
  })
  const { secret: other } = await addClient({ resources: [notes] })
  const configuration = await connect('nightly', secret)
  const get = (more: Record<string, string> = { resource: notes }) => oidc.clientCredentialsGrant(configuration, more)

  const tokens = await get()
  t.match(tokens, { expires_in: 600, token_type: 'bearer', scope: 'notes:read notes:write' })
  t.notOk('refresh_token' in tokens)
  const { iat = 0, exp, jti, ...rest } = await verify(tokens.access_token)
  t.same(rest, {
    ...{ iss: issuer, sub: String(bot.id), aud: notes, client_id: 'nightly' },
    scope: 'notes:read notes:write',
  })
  t.equal(exp, iat + 600)
  t.ok(jti)
  t.match(await get({ resource: notes, scope: 'notes:read openid profile' }), { scope: 'notes:read' })
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: tokens.access_token }), 'token_invalid')

  await expectRefusal(t, get({}), 'invalid_target')
  await expectRefusal(t, get({ scope: 'notes:read' }), 'invalid_target')
  await expectRefusal(t, get({ resource: 'https://other.example.com/' }), 'invalid_target')
  await expectRefusal(
    t,
    oidc.clientCredentialsGrant(await connect('grafana', other), { resource: notes }),
    'invalid_request',
  )
  const guess = oidc.clientCredentialsGrant(await connect('nightly', other), { resource: notes })
  t.match(await guess.catch((error: unknown) => error), { status: 401 }, 'the secret of another application')
  const authorize = await fetch(
    `${issuer}/oidc/authorize?client_id=nightly&response_type=code&redirect_uri=${redirectUri}`,
  )
  t.equal(authorize.status, 400, 'nobody signs in to it')

  await operator.setRoles(bot.id, [])
  await expectRefusal(t, get(), 'invalid_grant', 'without the role of the service')
  t.ok(await get({ resource: files }))
  await operator.setEnabled('bot', false)
  await expectRefusal(t, get({ resource: files }), 'invalid_grant', 'disabled')
  await operator.setEnabled('bot', true)
  await operator.ban(bot.id)
  await expectRefusal(t, get({ resource: files }), 'invalid_grant', 'banned')
  await operator.unban(bot.id)
  t.ok(await get({ resource: files }))
  await operator.remove(bot.id)
  await expectRefusal(t, get({ resource: files }), 'invalid_grant', 'deleted')
  t.match(server.log(), /the service account of the application is not there or may not sign in/)
})

test('whoever lets an application act as an account may change that account', async (t) => {
  const { server } = await start(t)
  const { operator } = server
  await operator.addRole('keeper', 'Keeper', [
    'system:client:list',
    'system:client:add',
    'system:client:edit',
    'system:client:delete',
  ])
  await operator.addRole('strong', 'Strong', ['system:user:edit'])
  const bot = await operator.addUser({
    username: 'bot',
    userType: userTypes.service,
    roles: ['strong'],
    forcePasswordChange: false,
  })
  const weak = await operator.addUser({ username: 'weak', userType: userTypes.service, forcePasswordChange: false })
  const person = await server.addUser('person')
  const tenant = await operator.addTenant('Other')
  const foreign = await operator.addUser({
    username: 'bot',
    tenantId: tenant.id,
    userType: userTypes.service,
    forcePasswordChange: false,
  })
  await server.addUser('keeper', { roles: ['keeper'] })
  const { accessToken: keeper } = await server.signIn('keeper', undefined, {})
  const { accessToken: admin } = await server.signIn()
  const call = (token: string, method: 'POST' | 'PATCH', path: string, json: object) =>
    server.call(method, `/system/client${path}`, { token, json })
  const json = { id: 'nightly', name: 'Nightly', redirectUris: [], resources: [notes], serviceAccount: weak.id }
  const rows: [change: object, field: string][] = [
    [{ serviceAccount: null }, 'redirectUris'],
    [{ serviceAccount: person.id }, 'serviceAccount'],
    [{ serviceAccount: 999 }, 'serviceAccount'],
    [{ serviceAccount: foreign.id }, 'serviceAccount'],
    [{ type: 'public' }, 'serviceAccount'],
    [{ resources: ['https://other.example.com/'] }, 'resources.0'],
  ]
  for (const [change, field] of rows)
    expectProblem(t, await call(admin, 'POST', '', { ...json, ...change }), 'invalid_request', [field])
  expectProblem(t, await call(keeper, 'POST', '', { ...json, serviceAccount: bot.id }), 'permission_denied')
  expectSuccess(t, await call(keeper, 'POST', '', json))
  expectSuccess(t, await call(keeper, 'PATCH', '/nightly', { resources: [files] }))
  expectProblem(t, await call(keeper, 'PATCH', '/nightly', { serviceAccount: bot.id }), 'permission_denied')
  expectSuccess(t, await call(admin, 'PATCH', '/nightly', { serviceAccount: bot.id }))
  for (const [path, body] of [
    ['/nightly', { resources: [notes] }],
    ['/nightly/secret', {}],
  ] as const)
    expectProblem(t, await call(keeper, path === '/nightly' ? 'PATCH' : 'POST', path, body), 'permission_denied')
  expectSuccess(t, await call(admin, 'PATCH', '/nightly', { serviceAccount: null, redirectUris: [redirectUri] }))
  expectSuccess(t, await call(keeper, 'POST', '/nightly/secret', {}))
})
