import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { test, type Test } from 'tap'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { startDocuments } from './start-documents.js'
import { expectRefusal, startProvider } from './start-provider.js'

const notes = 'https://notes.example.com/mcp'
const resources = [{ id: notes, name: 'Notes', scopes: ['notes:read', 'notes:write'] }]
const callbackUri = 'http://127.0.0.1:54321/callback'

const start = async (t: Test, more: object = {}) => {
  const documents = await startDocuments(t)
  const provider = {
    resources,
    clientDocuments: [`${documents.origin}/app.json`, `${documents.origin}/apps/`],
    allowPrivateAddresses: true,
    ...more,
  }
  return { ...(await startProvider(t, { settings: { provider } })), documents }
}

/** What such an application asks for. */
const wanted = { redirect_uri: callbackUri, resource: notes, scope: 'openid profile offline_access notes:read' }

test('an application that is listed describes itself, is asked for each time, and gets tokens for services only', async (t) => {
  const { server, issuer, alice, connect, openBrowser, ask, answer, documents } = await start(t)
  const id = documents.publish('/app.json', {
    client_uri: 'https://notebook.example.com',
    grant_types: ['authorization_code', 'urn:example:unknown'],
    scope: 'openid profile groups',
    rollcall_record: { scopes: ['openid', 'profile'], consent: 'never', refreshTokens: 'offline' },
  })
  const { body: metadata } = await server.call('GET', '/.well-known/oauth-authorization-server')
  t.match(metadata, {
    client_id_metadata_document_supported: true,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  })
  const configuration = await connect(id)
  const browser = openBrowser()
  const { accessToken: token } = await browser.signIn()
  for (const round of ['first', 'second']) {
    const { url, verifier } = await ask(configuration, wanted)
    const { details, url: callback } = await answer(browser, url, { accept: true })
    t.match(details, {
      ...{ prompt: 'consent', isDocument: true, scopes: [], redirectHost: '127.0.0.1:54321' },
      client: { id, name: 'Notebook', homeUrl: null },
      resources: [{ id: notes, scopes: ['notes:read'] }],
    })
    t.equal(callback.origin + callback.pathname, callbackUri)
    t.equal(callback.searchParams.get('iss'), issuer)
    if (round === 'first') continue
    const response = await fetch(`${issuer}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code: callback.searchParams.get('code') ?? '', client_id: id },
        ...{ code_verifier: verifier, redirect_uri: callbackUri, resource: notes },
      }),
    })
    const tokens = (await response.json()) as { access_token: string; refresh_token?: string }
    t.notOk('id_token' in tokens, 'it is for services only')
    const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(tokens.access_token, keys, { issuer, audience: notes, typ: 'at+jwt' })
    t.match(payload, { sub: String(alice.id), client_id: id, scope: 'notes:read' })
    const next = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '', { resource: notes })
    t.not(next.refresh_token, tokens.refresh_token)

    const [grant] = expectSuccess<{ id: string }[]>(t, await server.call('GET', '/auth/grants', { token }))
    t.match(grant, { client: { id, name: new URL(id).host }, scopes: [`${notes}#notes:read`] })
    expectSuccess(t, await server.call('DELETE', `/auth/grants/${grant?.id ?? ''}`, { token }))
    await expectRefusal(t, oidc.refreshTokenGrant(configuration, next.refresh_token ?? ''), 'invalid_grant')
  }
  t.equal(documents.asked.length, 1, 'it is read once')
  const { records } = expectSuccess(
    t,
    await server.call('GET', '/system/audit/page?targetType=client', { token: (await server.signIn()).accessToken }),
  )
  t.match(records, [{ action: 'grant.end' }, { action: 'grant.add' }, { action: 'grant.add' }])

  const { url: without } = await ask(configuration, { redirect_uri: callbackUri, scope: 'openid profile' })
  const { url: end } = await browser.follow(without)
  t.equal(end.searchParams.get('error'), 'invalid_target', 'it is for services only')
  const { url: foreign } = await ask(configuration, { ...wanted, redirect_uri: 'https://evil.example/callback' })
  t.equal((await browser.follow(foreign)).response?.status, 400)
})

test('a document that is not listed, or not what it should be, is no application', async (t) => {
  const { server, issuer, openBrowser, documents } = await start(t)
  const browser = openBrowser()
  await browser.signIn()
  const asks = async (id: string) => {
    const query = new URLSearchParams({
      ...{ client_id: id, redirect_uri: callbackUri, response_type: 'code', scope: 'notes:read', resource: notes },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    })
    const { url, response } = await browser.follow(`${issuer}/oidc/authorize?${query.toString()}`)
    return response?.status ?? url.pathname
  }
  t.equal(await asks(documents.publish('/apps/good.json')), '/sign-in')
  const before = documents.asked.length
  for (const path of ['/other.json', '/app.json?x', '/app.json/', '/apps', '/Apps/good.json'])
    t.equal(await asks(documents.publish(path)), 400, path)
  for (const id of [
    `${documents.origin}/apps/../other.json`,
    `${documents.origin}/apps/%2e%2e/other.json`,
    `${documents.origin}/apps/good.json#x`,
    documents.origin.replace('https://', 'https://user@') + '/apps/good.json',
    documents.origin.replace('https:', 'http:') + '/app.json',
    `${documents.origin}/apps/${'x'.repeat(500)}`,
  ])
    t.equal(await asks(id), 400, id)
  t.equal(documents.asked.length, before, 'nothing is fetched that is not listed')

  const rows: [path: string, reason: RegExp, change: object][] = [
    ['/apps/other-id', /says client_id https:\/\/other\.example/, { client_id: 'https://other.example/app.json' }],
    ['/apps/secret', /not that of a public application/, { client_secret: 'x' }],
    [
      '/apps/confidential',
      /token_endpoint_auth_method client_secret_post/,
      { token_endpoint_auth_method: 'client_secret_post' },
    ],
    ['/apps/key', /token_endpoint_auth_method private_key_jwt/, { token_endpoint_auth_method: 'private_key_jwt' }],
    ['/apps/nowhere', /no redirect URI that may be used/, { redirect_uris: [] }],
    [
      '/apps/wrong',
      /no redirect URI that may be used/,
      { redirect_uris: ['http://evil.example/', 'javascript:alert(1)', 'https://localhost/'] },
    ],
    ['/apps/large', /more than 10000 characters/, { description: 'x'.repeat(20_000) }],
    ['/apps/huge', /size|large/i, { description: 'x'.repeat(2_000_000) }],
    ['/apps/number', /not that of a public application/, { redirect_uris: 7 }],
  ]
  for (const [path, reason, change] of rows) {
    t.equal(await asks(documents.publish(path, change)), 400, path)
    t.match(server.log(), reason, path)
  }
  documents.answer('/apps/text', (response) => response.end('not JSON'))
  documents.answer('/apps/away', (response) => response.writeHead(302, { location: '/apps/good.json' }).end())
  documents.answer('/apps/slow', () => undefined)
  for (const path of ['/apps/text', '/apps/away', '/apps/none', '/apps/slow'])
    t.equal(await asks(documents.origin + path), 400, path)
  const count = documents.asked.length
  t.equal(await asks(`${documents.origin}/apps/none`), 400)
  t.equal(documents.asked.length, count, 'what has failed is not asked for again at once')

  for (let index = 0; index < 100; index++) await asks(`${documents.origin}/apps/many-${index}`)
  t.ok(documents.asked.length <= 61, 'of all documents sixty are asked for in a minute')
  t.equal(await asks(`${documents.origin}/apps/good.json`), '/sign-in', 'one that is known is not kept waiting')
  t.equal(await asks(documents.publish('/apps/new.json')), 400, 'a new one is')
  t.equal(await asks(documents.publish('/app.json')), '/sign-in', 'and none that is listed itself')
})

test('a document at a private address is not read unless that is allowed', async (t) => {
  const { server, issuer, documents } = await start(t, { allowPrivateAddresses: false })
  const id = documents.publish('/app.json')
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: callbackUri,
    response_type: 'code',
    resource: notes,
  })
  const response = await fetch(`${issuer}/oidc/authorize?${query.toString()}`, { redirect: 'manual' })
  t.equal(response.status, 400)
  t.same(documents.asked, [])
  t.match(server.log(), /private address/)
})
