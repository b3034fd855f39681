import { createHash } from 'node:crypto'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { browserCookie as name, cookieOf, startFederation } from '../../helpers/peers/federation.js'

test('O1: the beginning leaves a cookie in the browser that no script can read and no other site sends', async (t) => {
  const { begin } = await startFederation(t)
  const answer = await begin()
  const { value, attributes, header, others } = cookieOf(answer)
  t.match(header.cookie, /^rollcall_browser=[\w-]{22}$/)
  t.same(attributes, ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax'])
  t.same(others, [])
  t.notOk(answer.text.includes(value), 'the value is in the cookie alone')
  t.match(answer.headers.get('cache-control'), 'no-store')
})

test('O1: the cookie is for https alone where the sign-in comes by https, as a trusted proxy says', async (t) => {
  const headers = { 'x-forwarded-proto': 'https' }
  const trusting = await startFederation(t, { environment: { TRUST_PROXY: 'loopback' } })
  t.ok(cookieOf(await trusting.begin('corporate', { headers })).attributes.includes('Secure'))
  t.notOk(cookieOf(await trusting.begin()).attributes.includes('Secure'), 'not by http, where it would get lost')
  const alone = await startFederation(t)
  t.notOk(cookieOf(await alone.begin('corporate', { headers })).attributes.includes('Secure'), 'no stranger decides')
})

interface Row {
  name: string
  /** Which cookie is sent. */
  own?: boolean
  other?: boolean
  headers: Record<string, string>
  /** What is answered, and what where browsers that show nothing are accepted. */
  status: number
  accepting: number
}

/** All that a browser says in `Sec-Fetch-Site`, and a value of days to come. */
const sites = ['same-origin', 'same-site', 'cross-site', 'none', 'another', '']

test('O1: only the browser that began can finish', async (t) => {
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }
  const refused = { status: 400, accepting: 400 }
  const rows: Row[] = [
    { name: 'the cookie of the beginning', own: true, headers: {}, status: 200, accepting: 200 },
    { name: 'no cookie, from what is no browser', headers: {}, status: 200, accepting: 200 },
    ...sites.flatMap((site): Row[] => {
      const headers = { 'sec-fetch-site': site }
      return [
        { name: `that cookie, from "${site}"`, own: true, headers, status: 200, accepting: 200 },
        { name: `no cookie, from "${site}"`, headers, status: 400, accepting: 200 },
      ]
    }),
    // By http a browser sends no Fetch Metadata, but `Origin` with every POST.
    ...['https://console.example.com', 'null', ''].flatMap((origin): Row[] => [
      { name: `the cookie, with Origin "${origin}"`, own: true, headers: { origin }, status: 200, accepting: 200 },
      { name: `no cookie, with Origin "${origin}"`, headers: { origin }, status: 400, accepting: 200 },
    ]),
    { name: 'another cookie alone', headers: { ...sameOrigin, cookie: 'other=1' }, status: 400, accepting: 200 },
    { name: 'the cookie of another browser', other: true, headers: {}, ...refused },
    { name: 'the cookie of another browser, from a browser', other: true, headers: sameOrigin, ...refused },
    { name: 'a blank cookie', headers: { cookie: `${name}=` }, ...refused },
    { name: 'a cookie that we never made', headers: { cookie: `${name}=x` }, ...refused },
    { name: 'an endless cookie', headers: { cookie: `${name}=${'x'.repeat(5000)}` }, ...refused },
  ]
  for (const acceptUnboundBrowsers of [false, true]) {
    const { begin, provider, callback, signIn, countUsers } = await startFederation(t, {
      federation: { acceptUnboundBrowsers },
    })
    const twin = provider('corporate')
    for (const row of rows) {
      for (const way of ['callback', 'login']) {
        const begun = await begin()
        const other = cookieOf(await begin())
        const headers = {
          ...row.headers,
          ...(row.own ? cookieOf(begun).header : {}),
          ...(row.other ? other.header : {}),
        }
        const { code, state } = twin.visit(begun.body.data.authUrl)
        const before = twin.received.length
        const answer =
          way === 'callback'
            ? await callback({ platform: 'corporate', code, state }, headers)
            : await signIn({ authType: 'oauth2', authCode: code, state }, headers)
        const status = acceptUnboundBrowsers ? row.accepting : row.status
        const title = `${row.name}, ${way}${acceptUnboundBrowsers ? ', browsers that show nothing are accepted' : ''}`
        t.equal(answer.status, status, title)
        if (status === 200) continue
        expectProblem(t, answer, 'invalid_grant')
        t.notMatch(answer.text, /accessToken|socialTicket/)
        t.equal(twin.received.length, before, `${title}: the code goes nowhere`)
        const again = await callback({ platform: 'corporate', code, state }, cookieOf(begun).header)
        expectProblem(t, again, 'invalid_grant')
      }
    }
    t.equal(await countUsers(), 2, 'admin and the one who was let in')
  }
})

test('O1: two tabs of one browser both finish, in any order', async (t) => {
  const { begin, provider, callback } = await startFederation(t)
  const first = await begin()
  const { header } = cookieOf(first)
  const second = await begin('corporate', { headers: header })
  t.equal(cookieOf(second).header.cookie, header.cookie, 'the browser keeps its key')
  for (const { body } of [second, first]) {
    const back = provider('corporate').visit(body.data.authUrl)
    expectSuccess(t, await callback({ platform: 'corporate', ...back }, header))
  }
})

test('O1: a cookie that we cannot have made is replaced, not adopted', async (t) => {
  const { begin } = await startFederation(t)
  for (const value of ['', 'x', 'x'.repeat(21), 'x'.repeat(23), `${'x'.repeat(21)}%20`]) {
    const { header } = cookieOf(await begin('corporate', { headers: { cookie: `${name}=${value}` } }))
    t.match(header.cookie, /^rollcall_browser=[\w-]{22}$/)
    t.not(header.cookie, `${name}=${value}`)
  }
})

test('O1: state, nonce, challenge and key are new and unguessable each time', async (t) => {
  const { begin, provider, callback } = await startFederation(t)
  const seen = new Set<string>()
  for (let round = 0; round < 20; round++) {
    const answer = await begin()
    const query = new URL(answer.body.data.authUrl).searchParams
    const [, random = ''] = (query.get('state') ?? '').split(/_(.*)/)
    const values = [random, query.get('nonce') ?? '', query.get('code_challenge') ?? '', cookieOf(answer).value]
    for (const value of values) {
      t.ok(value.length >= 22, '128 bits or more')
      seen.add(value)
    }
    t.equal(query.get('code_challenge_method'), 'S256')
    t.equal(query.get('response_type'), 'code')
  }
  t.equal(seen.size, 80)

  const twin = provider('corporate')
  const { authUrl } = (await begin()).body.data
  expectSuccess(t, await callback({ platform: 'corporate', ...twin.visit(authUrl) }))
  const [token] = twin.received.filter(({ url }) => url === '/token')
  const verifier = token?.body.get('code_verifier') ?? ''
  t.match(verifier, /^[\w.~-]{43,128}$/)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  t.equal(challenge, new URL(authUrl).searchParams.get('code_challenge'), 'the challenge is that of the verifier')
  t.notOk(authUrl.includes(verifier), 'the verifier leaves us only on return')
})

test('O1: a code that was got for another beginning is refused', async (t) => {
  const { begin, provider, callback, signIn, countUsers } = await startFederation(t)
  const twin = provider('corporate')
  const tampered = async (parameter: string) => {
    const url = new URL((await begin()).body.data.authUrl)
    url.searchParams.set(parameter, createHash('sha256').update('of a thief').digest('base64url'))
    return twin.visit(url.href)
  }
  const rows = [
    { name: 'another challenge: the verifier does not fit', parameter: 'code_challenge' },
    { name: 'another nonce: the ID token is not of this sign-in', parameter: 'nonce' },
    { name: 'another redirect address', parameter: 'redirect_uri' },
  ]
  for (const { name, parameter } of rows) {
    t.comment(name)
    expectProblem(t, await callback({ platform: 'corporate', ...(await tampered(parameter)) }), 'invalid_grant')
    const { code, state } = await tampered(parameter)
    expectProblem(t, await signIn({ authType: 'oauth2', authCode: code, state }), 'invalid_grant')
  }

  // Two clients swap what they came back with.
  const one = await begin()
  const two = await begin()
  const backOne = twin.visit(one.body.data.authUrl, 'alice')
  const backTwo = twin.visit(two.body.data.authUrl, 'mallory')
  const swapped = [
    { code: backTwo.code, state: backOne.state, headers: cookieOf(one).header },
    { code: backOne.code, state: backTwo.state, headers: cookieOf(two).header },
  ]
  for (const { headers, ...json } of swapped) {
    expectProblem(t, await callback({ platform: 'corporate', ...json }, headers), 'invalid_grant')
  }
  t.equal(await countUsers(), 1)
})

test('O1: a state is good once, for ten minutes, and only as it was made', async (t) => {
  const { server, visit, callback, signIn } = await startFederation(t)
  const used = await visit()
  expectSuccess(t, await callback(used))
  expectProblem(t, await callback(used), 'invalid_grant')
  expectProblem(t, await signIn({ authType: 'oauth2', authCode: used.code, state: used.state }), 'invalid_grant')

  const { code: authCode, state } = await visit()
  expectSuccess(t, await signIn({ authType: 'oauth2', authCode, state }))
  expectProblem(t, await signIn({ authType: 'oauth2', authCode, state }), 'invalid_grant')
  expectProblem(t, await callback({ platform: 'corporate', code: authCode, state }), 'invalid_grant')

  const changes: ((state: string) => string)[] = [
    (state) => state.toUpperCase(),
    (state) => `${state}x`,
    (state) => state.slice(0, -1),
    (state) => state.replace('corporate_', ''),
    (state) => ` ${state}`,
    () => 'corporate_',
    () => '__proto__',
  ]
  for (const change of changes) {
    const back = await visit()
    expectProblem(t, await callback({ ...back, state: change(back.state) }), 'invalid_grant')
    expectSuccess(t, await callback(back))
  }

  const late = await visit()
  const inTime = await visit()
  server.clock.advance(599)
  expectSuccess(t, await callback(inTime))
  server.clock.advance(1)
  expectProblem(t, await callback(late), 'invalid_grant')
})

test('O1: a front end of the same site at a listed origin finishes by the cookie, which a browser may send there', async (t) => {
  const origin = 'https://console.example.com'
  const { begin, provider, callback } = await startFederation(t, { environment: { CORS_ORIGINS: origin } })
  const headers = { origin, 'sec-fetch-site': 'same-site' }
  const begun = await begin('corporate', { headers })
  t.equal(begun.headers.get('access-control-allow-credentials'), 'true')
  const back = { platform: 'corporate', ...provider('corporate').visit(begun.body.data.authUrl) }
  const answer = await callback(back, { ...headers, ...cookieOf(begun).header })
  t.equal(answer.headers.get('access-control-allow-origin'), origin)
  t.equal(answer.headers.get('access-control-allow-credentials'), 'true')
  t.match(expectSuccess(t, answer).socialTicket, /^[0-9a-f]{64}$/)
  const elsewhere = await begin('corporate', { headers: { ...headers, origin: 'https://other.example.com' } })
  t.equal(elsewhere.headers.get('access-control-allow-credentials'), null)
})

test('the state says when an identity is to be linked, and every other action is ignored', async (t) => {
  const { begin } = await startFederation(t)
  const keysOf = (authUrl: string) => [...new URL(authUrl).searchParams.keys()].sort()
  const plain = expectSuccess(t, await begin())
  const bound = expectSuccess(t, await begin('corporate', { query: 'action=bind' }))
  t.match(bound.state, /^bind_corporate_[\w-]{32}$/)
  t.equal(new URL(bound.authUrl).searchParams.get('state'), bound.state)
  for (const action of ['', 'login', 'BIND', 'x'.repeat(300)]) {
    const other = expectSuccess(t, await begin('corporate', { query: `action=${action}` }))
    t.match(other.state, /^corporate_[\w-]{32}$/, action)
    t.same(Object.keys(other), Object.keys(plain))
    t.same(keysOf(other.authUrl), keysOf(plain.authUrl), 'the provider is not told')
  }
  t.same(keysOf(bound.authUrl), keysOf(plain.authUrl))
})
