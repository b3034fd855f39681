import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { test, type Test } from 'tap'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { redirectUri, startProvider, type StartedProvider } from './start-provider.js'

const afterLogout = 'https://grafana.example.com/bye'
const scope = 'openid profile email phone groups tenant'

interface Signed extends StartedProvider {
  configuration: oidc.Configuration
  secret: string
  browser: ReturnType<StartedProvider['openBrowser']>
  metadata: Record<string, any>
}

const begin = async (t: Test): Promise<Signed> => {
  const started = await startProvider(t)
  const { issuer, addClient, connect, openBrowser } = started
  const { secret = '' } = await addClient({ refreshTokens: 'session', postLogoutRedirectUris: [afterLogout] })
  const browser = openBrowser()
  await browser.signIn()
  const response = await fetch(`${issuer}/.well-known/openid-configuration`)
  const metadata = (await response.json()) as Record<string, any>
  return { ...started, configuration: await connect('grafana', secret), secret, browser, metadata }
}

/** The parameters with which somebody who asked so ends at the application. */
const answerTo = async ({ ask, browser, configuration }: Signed, more: Record<string, string>) =>
  Object.fromEntries((await browser.follow((await ask(configuration, more)).url)).url.searchParams)

/** Where a request of this form ends. */
const raw = async ({ issuer, browser }: Signed, parameters: Record<string, string>) =>
  browser.follow(`${issuer}/oidc/authorize?${new URLSearchParams(parameters).toString()}`)

const plain = {
  ...{ client_id: 'grafana', redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
  ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', state: 's' },
}

const succeeds =
  (more: Record<string, string>) =>
  async (t: Test, signed: Signed): Promise<void> => {
    t.match(await answerTo(signed, more), { code: /./, iss: signed.issuer })
  }

const claimsWith =
  (wanted: string, expected: object) =>
  async (t: Test, { enter, configuration, browser, alice }: Signed): Promise<void> => {
    const tokens = await enter(configuration, browser, { scope: wanted })
    t.match(await oidc.fetchUserInfo(configuration, tokens.access_token, String(alice.id)), expected)
  }

const userinfo =
  (init: (token: string) => RequestInit) =>
  async (t: Test, { enter, configuration, browser, metadata, alice }: Signed): Promise<void> => {
    const tokens = await enter(configuration, browser)
    const response = await fetch(metadata['userinfo_endpoint'] as string, init(tokens.access_token))
    t.match(await response.json(), { sub: String(alice.id), name: 'alice' })
  }

const refusedAt =
  (more: Record<string, string>, error: string) =>
  async (t: Test, signed: Signed): Promise<void> => {
    t.match(await answerTo(signed, more), { error, iss: signed.issuer })
  }

/** Where the browser ends after a sign-out that was asked for so; `hint` is the ID token. */
const logout =
  (
    parameters: (hint: string) => Record<string, string>,
    expect: (t: Test, end: Awaited<ReturnType<Signed['browser']['follow']>>, signed: Signed) => Promise<void> | void,
  ) =>
  async (t: Test, signed: Signed): Promise<void> => {
    const { issuer, enter, configuration, browser } = signed
    const { id_token: hint = '' } = await enter(configuration, browser)
    const query = new URLSearchParams(parameters(hint)).toString()
    await expect(t, await browser.follow(`${issuer}/oidc/logout?${query}`), signed)
  }

const refusedPage = (t: Test, { response }: { response: Response | undefined }) => void t.equal(response?.status, 400)
const asks = (t: Test, { response }: { response: Response | undefined }) => void t.equal(response?.status, 200)
const isOut = async (t: Test, signed: Signed) =>
  t.match(await answerTo(signed, { prompt: 'none' }), { error: 'login_required' })

/** By the names of the modules of the OpenID conformance suite. */
const modules: Record<string, (t: Test, signed: Signed) => Promise<void>> = {
  'oidcc-server': async (t, { enter, configuration, browser, alice }) => {
    t.match((await enter(configuration, browser)).claims(), { sub: String(alice.id), aud: 'grafana' })
  },
  'oidcc-response-type-missing': async (t, signed) => {
    const rest = Object.fromEntries(Object.entries(plain).filter(([name]) => name !== 'response_type'))
    t.equal((await raw(signed, rest)).url.searchParams.get('error'), 'invalid_request')
  },
  'oidcc-idtoken-signature': async (t, { enter, configuration, browser, issuer, metadata }) => {
    const { id_token: token = '' } = await enter(configuration, browser)
    const keys = createRemoteJWKSet(new URL(metadata['jwks_uri'] as string))
    const { protectedHeader } = await jwtVerify(token, keys, { issuer, audience: 'grafana' })
    t.equal(protectedHeader.alg, 'RS256')
  },
  'oidcc-idtoken-unsigned': async (t, { metadata }) => {
    t.notOk((metadata['id_token_signing_alg_values_supported'] as string[]).includes('none'))
  },
  'oidcc-userinfo-get': userinfo((token) => ({ headers: { authorization: `Bearer ${token}` } })),
  'oidcc-userinfo-post-header': userinfo((token) => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })),
  'oidcc-userinfo-post-body': userinfo((token) => ({
    method: 'POST',
    body: new URLSearchParams({ access_token: token }),
  })),
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async (t, signed) => {
    t.match((await raw(signed, plain)).url.searchParams.get('code'), /./)
  },
  'oidcc-scope-profile': claimsWith('openid profile', { name: 'alice', preferred_username: 'alice' }),
  'oidcc-scope-email': async (t, signed) => {
    const answer = await answerTo(signed, { scope: 'openid email' })
    t.match(answer['code'], /./, 'the claim is there where the address is verified: who-may-enter')
  },
  'oidcc-scope-phone': succeeds({ scope: 'openid phone' }),
  'oidcc-scope-all': succeeds({ scope }),
  'oidcc-ensure-other-scope-order-succeeds': succeeds({ scope: 'email openid' }),
  'oidcc-display-page': succeeds({ display: 'page' }),
  'oidcc-display-popup': succeeds({ display: 'popup' }),
  'oidcc-prompt-login': async (t, { ask, browser, configuration, server }) => {
    server.clock.advance(5)
    t.equal((await browser.follow((await ask(configuration, { prompt: 'login' })).url)).url.pathname, '/sign-in')
  },
  'oidcc-prompt-none-not-logged-in': async (t, { ask, openBrowser, configuration }) => {
    const { url } = await openBrowser().follow((await ask(configuration, { prompt: 'none' })).url)
    t.equal(url.searchParams.get('error'), 'login_required')
  },
  'oidcc-prompt-none-logged-in': succeeds({ prompt: 'none' }),
  'oidcc-max-age-1': async (t, { ask, browser, configuration, server }) => {
    server.clock.advance(5)
    t.equal((await browser.follow((await ask(configuration, { max_age: '1' })).url)).url.pathname, '/sign-in')
  },
  'oidcc-max-age-10000': succeeds({ max_age: '10000' }),
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeeds({ extra: 'foobar' }),
  'oidcc-id-token-hint': async (t, signed) => {
    const { id_token: hint = '' } = await signed.enter(signed.configuration, signed.browser)
    t.match(await answerTo(signed, { prompt: 'none', id_token_hint: hint }), { code: /./ })
  },
  'oidcc-login-hint': succeeds({ login_hint: 'somebody@example.com' }),
  'oidcc-ui-locales': succeeds({ ui_locales: 'se' }),
  'oidcc-claims-locales': succeeds({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': succeeds({ acr_values: '1 2' }),
  'oidcc-codereuse': async (t, { ask, browser, configuration }) => {
    const { url, exchange } = await ask(configuration)
    const { url: callback } = await browser.follow(url)
    await exchange(callback)
    t.match(await exchange(callback).catch((error: unknown) => error), { error: 'invalid_grant' })
  },
  'oidcc-codereuse-30seconds': async (t, { ask, browser, configuration, server, alice }) => {
    const { url, exchange } = await ask(configuration)
    const { url: callback } = await browser.follow(url)
    const { access_token: token } = await exchange(callback)
    server.clock.advance(31)
    t.match(await exchange(callback).catch((error: unknown) => error), { error: 'invalid_grant' })
    await t.rejects(oidc.fetchUserInfo(configuration, token, String(alice.id)), 'what the code gave has ended')
  },
  'oidcc-ensure-registered-redirect-uri': async (t, signed) => {
    const { response } = await raw(signed, { ...plain, redirect_uri: `${redirectUri}/other` })
    t.equal(response?.status, 400)
  },
  'oidcc-ensure-post-request-succeeds': async (t, { issuer, browser }) => {
    // Browsers keep the cookie of the session back here, and send it at the next step.
    const body = new URLSearchParams(plain)
    const response = await fetch(`${issuer}/oidc/authorize`, { method: 'POST', body, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      browser.cookies.set(name, value)
    }
    const { url } = await browser.follow(response.headers.get('location') ?? '')
    t.match(url.searchParams.get('code'), /./)
  },
  'oidcc-server-client-secret-post': async (t, { ask, browser, configuration, issuer, secret }) => {
    const { url, verifier } = await ask(configuration)
    const { url: callback } = await browser.follow(url)
    const body = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code: callback.searchParams.get('code') ?? '' },
      ...{ redirect_uri: redirectUri, code_verifier: verifier, client_id: 'grafana', client_secret: secret },
    })
    t.equal((await fetch(`${issuer}/oidc/token`, { method: 'POST', body })).status, 200)
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': refusedAt(
    { request_uri: 'https://grafana.example.com/request' },
    'request_uri_not_supported',
  ),
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': refusedAt(
    { request: 'eyJhbGciOiJub25lIn0.e30.' },
    'request_not_supported',
  ),
  'oidcc-ensure-request-object-with-redirect-uri': refusedAt(
    { request: 'eyJhbGciOiJub25lIn0.e30.' },
    'request_not_supported',
  ),
  'oidcc-claims-essential': async (t, signed) => {
    t.notOk(signed.metadata['claims_parameter_supported'])
    await succeeds({ claims: JSON.stringify({ userinfo: { name: { essential: true } } }) })(t, signed)
  },
  'oidcc-refresh-token': async (t, { enter, configuration, browser, alice }) => {
    const tokens = await enter(configuration, browser)
    const next = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    t.equal(next.claims()?.sub, String(alice.id))
    t.not(next.access_token, tokens.access_token)
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': async (t, { enter, configuration, browser }) => {
    t.ok((await enter(configuration, browser)).access_token)
  },

  'oidcc-discovery-endpoint-verification': async (t, { issuer, metadata }) => {
    t.match(metadata, {
      ...{ issuer, authorization_endpoint: `${issuer}/oidc/authorize`, token_endpoint: `${issuer}/oidc/token` },
      ...{ userinfo_endpoint: `${issuer}/oidc/userinfo`, jwks_uri: `${issuer}/.well-known/jwks.json` },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
    })
    for (const list of ['scopes_supported', 'claims_supported', 'grant_types_supported'])
      t.ok((metadata[list] as unknown[]).length > 1, list)
    t.notOk(metadata['scopes_supported'].includes('address'))
  },

  'oidcc-rp-initiated-logout-discovery-endpoint-verification': async (t, { issuer, metadata }) => {
    t.equal(metadata['end_session_endpoint'], `${issuer}/oidc/logout`)
  },
  'oidcc-rp-initiated-logout': logout(
    (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: afterLogout, state: 's' }),
    async (t, { url }, signed) => {
      t.equal(url.href, `${afterLogout}?state=s`)
      await isOut(t, signed)
    },
  ),
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': logout(
    (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: 'https://grafana.example.com/other' }),
    refusedPage,
  ),
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': logout(
    (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${afterLogout}?foo=bar` }),
    refusedPage,
  ),
  'oidcc-rp-initiated-logout-modified-id-token-hint': logout(
    (hint) => ({ id_token_hint: `${hint.slice(0, -4)}AAAA`, post_logout_redirect_uri: afterLogout }),
    refusedPage,
  ),
  'oidcc-rp-initiated-logout-bad-id-token-hint': logout(
    () => ({ id_token_hint: 'eyJhbGciOiJub25lIn0.e30.', post_logout_redirect_uri: afterLogout }),
    refusedPage,
  ),
  'oidcc-rp-initiated-logout-no-id-token-hint': logout(
    () => ({ client_id: 'grafana', post_logout_redirect_uri: afterLogout }),
    asks,
  ),
  'oidcc-rp-initiated-logout-no-params': logout(() => ({}), asks),
  'oidcc-rp-initiated-logout-only-state': logout(() => ({ state: 's' }), asks),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': logout(
    (hint) => ({ id_token_hint: hint }),
    async (t, { url }, signed) => {
      t.equal(url.pathname, '/sign-in')
      await isOut(t, signed)
    },
  ),
  'oidcc-rp-initiated-logout-no-state': logout(
    (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: afterLogout }),
    async (t, { url }, signed) => {
      t.equal(url.href, afterLogout)
      await isOut(t, signed)
    },
  ),

  'oidcc-backchannel-logout-discovery-endpoint-verification': async (t, { metadata }) => {
    t.match(metadata, { backchannel_logout_supported: true, backchannel_logout_session_supported: true })
  },
}

/** Rows whose test is another file, or why there is none. */
const elsewhere = ['oidcc-scope-address', 'oidcc-backchannel-rp-initiated-logout']

test('what the modules of the OpenID conformance suite ask', async (t) => {
  const signed = await begin(t)
  for (const [name, check] of Object.entries(modules))
    await t.test(name, async (inner) => {
      await signed.browser.signIn()
      await check(inner, signed)
    })
})

test('docs/conformance.md has a row for each module, and none is empty', (t) => {
  const text = readDocument('docs/conformance.md')
  t.same(codeBlocksOf(text), [])
  const rows = [...text.matchAll(/^\| `(oidcc-[\w-]+)` +\| (.*) \|$/gm)].map(([, name = '', told = '']) => ({
    name,
    told,
  }))
  t.same(rows.map(({ name }) => name).toSorted(), [...Object.keys(modules), ...elsewhere].toSorted())
  for (const { name, told } of rows) t.match(told, /\w{4}/, name)
  t.end()
})

test('docs/conformance.md has each requirement of ASVS 10.4 with a test that carries its number, or a sentence', (t) => {
  const rows = [...readDocument('docs/conformance.md').matchAll(/^\| (10\.4\.\d+) +\| ([^|]*) \| ([^|]*) \|$/gm)]
  t.equal(rows.length, 11)
  for (const [, number = '', , shown = ''] of rows) {
    const [, file] = /`(guests\/[\w/-]+\.test\.ts)`/.exec(shown) ?? []
    if (file === undefined) t.match(shown, /^[A-Z].*\.\s*$/, number)
    else
      t.match(readDocument(file), new RegExp(`^test\\('[^']*\\bASVS ${number.replaceAll('.', '\\.')}\\b`, 'm'), number)
  }
  t.end()
})
