import * as oidc from 'openid-client'
import { test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { expectRefusal, redirectUri, startProvider } from './start-provider.js'

/** What the application is told at its address. */
const refusal = (url: URL): Record<string, string> =>
  Object.fromEntries([...url.searchParams, ...new URLSearchParams(url.hash.slice(1))])

test('an address that is not registered is never led to (ASVS 10.4.1)', async (t) => {
  const { server, addClient, connect, openBrowser, ask } = await startProvider(t)
  const { secret } = await addClient({ redirectUris: [redirectUri, 'https://grafana.example.com'] })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  const wrong = [
    'https://grafana.example.com/Login/generic_oauth',
    `${redirectUri}/`,
    'https://grafana.example.com:8443/login/generic_oauth',
    `${redirectUri}?x=1`,
    `${redirectUri}#x`,
    'https://grafana.example.com/login/../login/generic_oauth',
    'https://grafana.example.com/login%2Fgeneric_oauth',
    'https://grafana.example.com/login%252Fgeneric_oauth',
    'http://grafana.example.com/login/generic_oauth',
    'https://grafana.example.com.evil.example/login/generic_oauth',
    'https://grafana.example.com@evil.example/login/generic_oauth',
    'https://grafana.example.com/',
    'javascript:alert(1)',
    '//evil.example',
    '',
  ]
  for (const uri of wrong) {
    const { url } = await ask(configuration, { redirect_uri: uri })
    const { response, url: end } = await browser.follow(url)
    t.equal(response?.status, 400, uri)
    t.equal(end.pathname, '/oidc/authorize', 'nobody is sent anywhere')
    t.match(await response?.text(), /You cannot be signed in/)
  }
  const { url } = await ask(configuration)
  url.searchParams.set('client_id', 'nobody')
  t.equal((await browser.follow(url)).response?.status, 400)
  t.match(
    server.log(),
    /the address it sent is https:\/\/grafana.example.com:8443\/login\/generic_oauth; registered are/,
  )
  const { lastError } = await server.app.applications.find(operatorActor(), 'grafana')
  t.match(lastError?.message, /redirect_uri/)
})

test('a request that is not accepted is refused at the address of the application (ASVS 10.4.4, ASVS 10.4.6, ASVS 10.4.11)', async (t) => {
  const { issuer, addClient, connect, openBrowser, ask } = await startProvider(t)
  const { secret } = await addClient({ scopes: ['openid', 'profile'] })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  const cases: [sentence: string, change: (query: URLSearchParams) => void, error: string][] = [
    ['implicit flow', (query) => query.set('response_type', 'token'), 'unsupported_response_type'],
    ['no PKCE', (query) => query.delete('code_challenge'), 'invalid_request'],
    [
      'no PKCE at all',
      (query) => {
        query.delete('code_challenge')
        query.delete('code_challenge_method')
      },
      'invalid_request',
    ],
    ['plain PKCE', (query) => query.set('code_challenge_method', 'plain'), 'invalid_request'],
    ['a scope that it may not ask for', (query) => query.set('scope', 'openid groups'), 'invalid_scope'],
    ['a request object', (query) => query.set('request', 'eyJhbGciOiJub25lIn0.e30.'), 'request_not_supported'],
    ['9 KiB', (query) => query.set('login_hint', 'x'.repeat(9000)), 'invalid_request'],
  ]
  for (const [sentence, change, error] of cases) {
    const { url, state } = await ask(configuration, { scope: 'openid profile' })
    change(url.searchParams)
    const { url: end } = await browser.follow(url)
    t.equal(end.origin + end.pathname, redirectUri, sentence)
    t.match(refusal(end), { error, state, iss: issuer }, sentence)
    t.notOk(end.searchParams.has('code'), sentence)
  }
  const { url } = await ask(configuration, { scope: 'openid profile' })
  const { response } = await browser.follow(`${url.href}&client_id=grafana`)
  t.equal(response?.status, 400, 'which application it is would be a guess')
})

test('a code is good once, for a minute, its application, its address and its verifier (ASVS 10.4.2, ASVS 10.4.3)', async (t) => {
  const { server, issuer, addClient, connect, openBrowser, ask } = await startProvider(t)
  const { secret = '' } = await addClient()
  const { secret: otherSecret = '' } = await addClient({ id: 'wiki', name: 'Wiki' })
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  const codeFor = async () => {
    const { url, exchange, verifier } = await ask(configuration)
    const { url: callback } = await browser.follow(url)
    return { code: callback.searchParams.get('code') ?? '', callback, exchange, verifier }
  }
  const post = async (form: Record<string, string>, id = 'grafana', password = secret) => {
    const response = await fetch(`${issuer}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: redirectUri, ...form }),
    })
    return { status: response.status, ...((await response.json()) as { error?: string; access_token?: string }) }
  }
  const invalid = { status: 400, error: 'invalid_grant' }

  const one = await codeFor()
  t.match(await post({ code: one.code, code_verifier: 'x'.repeat(43) }), invalid, 'another verifier')
  t.match(await post({ code: one.code, code_verifier: one.verifier, redirect_uri: 'https://x.example' }), invalid)
  t.match(await post({ code: one.code, code_verifier: one.verifier }, 'wiki', otherSecret), invalid)
  t.match(await post({ code: one.code, code_verifier: one.verifier }, 'grafana', otherSecret), {
    status: 401,
    error: 'invalid_client',
  })
  t.match(await post({ code: one.code, code_verifier: one.verifier }, 'nobody', otherSecret), {
    status: 401,
    error: 'invalid_client',
  })
  const first = await post({ code: one.code, code_verifier: one.verifier })
  t.equal(first.status, 200)
  const info = () => fetch(`${issuer}/oidc/userinfo`, { headers: { authorization: `Bearer ${first.access_token}` } })
  t.equal((await info()).status, 200)
  t.match(await post({ code: one.code, code_verifier: one.verifier }), invalid, 'used')
  t.equal((await info()).status, 401, 'and what came of it has ended')

  const late = await codeFor()
  server.clock.advance(61)
  t.match(await post({ code: late.code, code_verifier: late.verifier }), invalid, 'late')

  const many = await codeFor()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post({ code: many.code, code_verifier: many.verifier })),
  )
  t.ok(answers.filter(({ status }) => status === 200).length <= 1, 'of fifty at once at most one has tokens')
  t.ok(answers.every((answer) => answer.status === 200 || answer.error === 'invalid_grant'))
})

test('refresh tokens end with the session, and one that comes back late ends everything (ASVS 10.4.5)', async (t) => {
  const { server, addClient, connect, openBrowser, enter, alice } = await startProvider(t)
  const { secret } = await addClient({ refreshTokens: 'session' })
  await addClient({ id: 'spa', name: 'Single page', type: 'public', refreshTokens: 'session' })
  const confidential = await connect('grafana', secret)
  const browser = openBrowser()
  await browser.signIn()
  const kept = await enter(confidential, browser)
  const first = await oidc.refreshTokenGrant(confidential, kept.refresh_token ?? '')
  t.equal(first.refresh_token, kept.refresh_token, 'an application with a secret keeps its token')
  t.match(first.claims(), { sub: String(alice.id), preferred_username: 'alice' }, 'a full ID token')

  const open = await connect('spa')
  const before = await enter(open, browser)
  const after = await oidc.refreshTokenGrant(open, before.refresh_token ?? '')
  t.not(after.refresh_token, before.refresh_token)
  server.clock.advance(9)
  const at = await Promise.all(
    Array.from({ length: 50 }, () => oidc.refreshTokenGrant(open, before.refresh_token ?? '')),
  )
  t.equal(at.length, 50, 'a browser with several tabs')
  server.clock.advance(2)
  await expectRefusal(t, oidc.refreshTokenGrant(open, before.refresh_token ?? ''), 'invalid_grant')
  await expectRefusal(
    t,
    oidc.refreshTokenGrant(open, after.refresh_token ?? ''),
    'invalid_grant',
    'all of it has ended',
  )

  await browser.post('/auth/logout', { json: {} })
  await expectRefusal(t, oidc.refreshTokenGrant(confidential, kept.refresh_token ?? ''), 'invalid_grant')
  await t.rejects(oidc.fetchUserInfo(confidential, first.access_token, String(alice.id)))
})

test('who guesses secrets has to wait, and the right one passes (ASVS 10.4.10)', async (t) => {
  const { server, issuer, addClient, connect, openBrowser, enter } = await startProvider(t, {
    environment: { RATE_LIMITS: 'on' },
  })
  const { secret = '' } = await addClient()
  const ask = (password: string, id = 'grafana') =>
    fetch(`${issuer}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: redirectUri, code: 'x' }),
    })
  const statuses: number[] = []
  for (let count = 0; count < 100; count++)
    statuses.push((await ask(`${count}`, count % 2 ? 'grafana' : 'nobody')).status)
  t.same([...new Set(statuses)], [401, 429])
  const last = await ask('wrong')
  t.equal(last.status, 429)
  t.ok(Number(last.headers.get('retry-after')) > 0)
  const both = await fetch(`${issuer}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`grafana:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'grafana', client_secret: secret }),
  })
  t.equal(both.status, 400, 'both ways at once')
  const browser = openBrowser()
  await browser.signIn()
  t.ok((await enter(await connect('grafana', secret), browser)).access_token)
  await server.app.applications.remove(operatorActor(), 'grafana')
  t.equal((await ask(secret)).status, 429, 'it is gone')
})

test('nobody is signed in by a page cookie of a session that is over or must change its password', async (t) => {
  const { server, addClient, connect, openBrowser, ask } = await startProvider(t)
  const { secret } = await addClient()
  const configuration = await connect('grafana', secret)
  const ended = openBrowser()
  const { accessToken } = await ended.signIn()
  await server.call('POST', '/auth/logout', { token: accessToken })
  t.equal((await ended.follow((await ask(configuration)).url)).url.pathname, '/sign-in')
  t.match(refusal((await ended.follow((await ask(configuration, { prompt: 'none' })).url)).url), {
    error: 'login_required',
  })

  await server.addUser('bob', { forcePasswordChange: true })
  const forced = openBrowser()
  await forced.signIn('bob')
  t.equal((await forced.follow((await ask(configuration)).url)).url.pathname, '/sign-in')

  const planted = openBrowser()
  planted.cookies.set(server.app.openIdProvider.cookieName('session'), 'x'.repeat(43))
  t.equal((await planted.follow((await ask(configuration)).url)).url.pathname, '/sign-in')
})

test('addresses are those of the issuer, whatever a request says', async (t) => {
  const { issuer, addClient, connect, openBrowser, ask } = await startProvider(t)
  const { secret } = await addClient()
  const configuration = await connect('grafana', secret)
  const browser = openBrowser()
  const { url } = await ask(configuration)
  const hostile = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
  const response = await browser.get(url.href, hostile)
  t.ok(response.headers.get('location')?.startsWith(`${issuer}/oidc/interactions/`))
  const metadata = await fetch(`${issuer}/.well-known/openid-configuration`, { headers: hostile })
  const document = (await metadata.json()) as Record<string, unknown>
  for (const [name, value] of Object.entries(document))
    if (name.endsWith('_endpoint') || name === 'jwks_uri') t.ok(String(value).startsWith(`${issuer}/`), name)
  t.equal(document['issuer'], issuer)
})

test('who is signed in is known where a proxy claims https for a plain address', async (t) => {
  const { server, addClient, connect, openBrowser, ask } = await startProvider(t, {
    settings: { trustProxy: ['loopback'] },
  })
  const { secret } = await addClient()
  const browser = openBrowser()
  await browser.signIn()
  const { url } = await ask(await connect('grafana', secret))
  const claimed = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
  const answer = await browser.get(url.href, claimed)
  t.ok(answer.headers.get('location')?.startsWith(redirectUri), server.log().slice(-300))
})
