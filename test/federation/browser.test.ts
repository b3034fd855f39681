import { createHash } from 'node:crypto'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../helpers/expect.js'
import { startFederation } from '../helpers/federation.js'
import type { Answer } from '../helpers/server.js'

const name = 'rollcall_browser'

/** Value and attributes of the cookie of an answer. */
const cookieOf = (answer: Answer) => {
  const [line = '', ...others] = answer.headers.getSetCookie()
  const [pair = '', ...attributes] = line.split('; ')
  return { header: { cookie: pair }, value: pair.slice(name.length + 1), attributes: attributes.sort(), others }
}

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
  /** What is answered, and what where only browsers may finish. */
  status: number
  strict: number
}

test('O1: only the browser that began can finish', async (t) => {
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }
  const rows: Row[] = [
    { name: 'the cookie of the beginning', own: true, headers: {}, status: 200, strict: 200 },
    { name: 'that cookie, from a page of our own', own: true, headers: sameOrigin, status: 200, strict: 200 },
    { name: 'no cookie, from what is no browser', headers: {}, status: 200, strict: 400 },
    {
      name: 'no cookie, from a front end elsewhere',
      headers: { 'sec-fetch-site': 'cross-site' },
      status: 200,
      strict: 400,
    },
    { name: 'no cookie, from a page of our own', headers: sameOrigin, status: 400, strict: 400 },
    { name: 'another cookie alone', headers: { ...sameOrigin, cookie: 'other=1' }, status: 400, strict: 400 },
    { name: 'the cookie of another browser', other: true, headers: {}, status: 400, strict: 400 },
    { name: 'a blank cookie', headers: { cookie: `${name}=` }, status: 400, strict: 400 },
    { name: 'a cookie that we never made', headers: { cookie: `${name}=x` }, status: 400, strict: 400 },
    {
      name: 'an endless cookie',
      headers: { cookie: `${name}=${'x'.repeat(5000)}` },
      status: 400,
      strict: 400,
    },
  ]
  for (const requireBrowser of [false, true]) {
    const { begin, provider, callback, signIn, countUsers } = await startFederation(t, {
      federation: { requireBrowser },
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
        const status = requireBrowser ? row.strict : row.status
        const title = `${row.name}, ${way}${requireBrowser ? ', browsers only' : ''}`
        t.equal(answer.status, status, title)
        if (status === 200) continue
        expectProblem(t, answer, 'invalid_grant')
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
