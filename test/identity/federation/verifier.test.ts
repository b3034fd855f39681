import { createHash } from 'node:crypto'
import { test } from 'tap'
import { createAuthorizationRequests } from '../../../plugins/identity/federation/authorization-requests.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { browserCookie, cookieOf, startFederation } from '../../helpers/peers/federation.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

interface Row {
  name: string
  /** What is sent of a beginning: its own cookie and verifier, and those of another one. */
  send: (own: Shown, other: Shown) => { verifier?: string | null; cookie?: string; site?: string }
  status: number
}
interface Shown {
  verifier: string
  cookie: string
  state: string
}

const flip = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
const sites = ['same-origin', 'same-site', 'cross-site', 'none']
const nonsense = `${browserCookie}=x`

const rows: Row[] = [
  { name: 'the verifier, from an app', send: ({ verifier }) => ({ verifier }), status: 200 },
  ...sites.map((site): Row => ({
    name: `the verifier, from ${site}`,
    send: ({ verifier }) => ({ verifier, site }),
    status: 200,
  })),
  {
    name: 'the verifier and the cookie',
    send: ({ verifier, cookie }) => ({ verifier, cookie, site: 'same-origin' }),
    status: 200,
  },
  {
    name: 'the verifier beside the cookie of another beginning',
    send: ({ verifier }, { cookie }) => ({ verifier, cookie, site: 'same-site' }),
    status: 200,
  },
  { name: 'the verifier beside nonsense', send: ({ verifier }) => ({ verifier, cookie: nonsense }), status: 200 },
  { name: 'a blank verifier and the cookie', send: ({ cookie }) => ({ verifier: '', cookie }), status: 200 },
  { name: 'no verifier, from an app', send: () => ({ verifier: null }), status: 200 },
  { name: 'a blank verifier, from a browser', send: () => ({ verifier: '', site: 'cross-site' }), status: 400 },
  { name: 'no verifier, from a browser', send: () => ({ site: 'cross-site' }), status: 400 },
  { name: 'that of another beginning, from an app', send: (_, { verifier }) => ({ verifier }), status: 400 },
  {
    name: 'that of another beginning, from a browser',
    send: (_, { verifier }) => ({ verifier, site: 'cross-site' }),
    status: 400,
  },
  {
    name: 'that of another beginning, with the cookie of this one',
    send: ({ cookie }, { verifier }) => ({ verifier, cookie, site: 'same-origin' }),
    status: 400,
  },
  {
    name: 'both of another beginning',
    send: (_, { verifier, cookie }) => ({ verifier, cookie, site: 'same-origin' }),
    status: 400,
  },
  {
    name: 'a changed one, with the cookie',
    send: ({ verifier, cookie }) => ({ verifier: flip(verifier), cookie }),
    status: 400,
  },
  { name: 'a short one', send: ({ verifier }) => ({ verifier: verifier.slice(0, -1) }), status: 400 },
  { name: 'a long one', send: ({ verifier }) => ({ verifier: `${verifier}A` }), status: 400 },
  { name: 'its hash, which is what is kept', send: ({ verifier }) => ({ verifier: sha256(verifier) }), status: 400 },
  { name: 'the value of the cookie', send: ({ cookie }) => ({ verifier: cookie.split('=')[1] ?? '' }), status: 400 },
  { name: 'the state', send: ({ state }) => ({ verifier: state }), status: 400 },
]

for (const acceptUnboundBrowsers of [false, true]) {
  // Only those who show nothing are let in by the setting.
  const statusOf = ({ name, status }: Row) =>
    acceptUnboundBrowsers && /^(a blank|no) verifier, from a browser$/.test(name) ? 200 : status
  const setting = acceptUnboundBrowsers ? ', where browsers that show nothing are accepted' : ''

  test(`O1: a verifier that is sent must be that of the beginning, and is enough${setting}`, async (t) => {
    const { begin, provider, callback, signIn } = await startFederation(t, { federation: { acceptUnboundBrowsers } })
    const twin = provider('corporate')
    const beginOne = async () => {
      const answer = await begin()
      const { authUrl, state, verifier } = answer.body.data
      return { authUrl, state, verifier, cookie: cookieOf(answer).header.cookie }
    }
    for (const row of rows) {
      for (const way of ['callback', 'login']) {
        const own = await beginOne()
        const { verifier, cookie, site } = row.send(own, await beginOne())
        const headers = {
          ...(cookie === undefined ? {} : { cookie }),
          ...(site === undefined ? {} : { 'sec-fetch-site': site }),
        }
        const { code, state } = twin.visit(own.authUrl)
        const before = twin.received.length
        const enter = (verifier: string | null | undefined, headers: Record<string, string>) =>
          way === 'callback'
            ? callback({ platform: 'corporate', code, state, verifier }, headers)
            : signIn({ authType: 'oauth2', authCode: code, state, verifier }, headers)
        const answer = await enter(verifier, headers)
        const title = `${row.name}, ${way}`
        t.equal(answer.status, statusOf(row), title)
        t.notOk(answer.text.includes(own.verifier), 'the verifier is not repeated')
        if (answer.status !== 200) {
          expectProblem(t, answer, 'invalid_grant')
          t.notMatch(answer.text, /accessToken|socialTicket/)
          t.equal(twin.received.length, before, `${title}: the code goes nowhere`)
        }
        const again = await enter(own.verifier, { cookie: own.cookie })
        expectProblem(t, again, 'invalid_grant')
        t.notMatch(again.text, /accessToken|socialTicket/)
      }
    }
  })
}

test('O1: the verifier is new each time, unguessable, and in the answer alone', async (t) => {
  const { server, begin } = await startFederation(t)
  const seen = new Set<string>()
  for (let round = 0; round < 20; round++) {
    const answer = await begin()
    const { authUrl, state, verifier, ...others } = answer.body.data
    t.same(Object.keys(others), ['platform'])
    t.match(verifier, /^[\w-]{43}$/, '256 bits')
    seen.add(verifier)
    const elsewhere = [authUrl, state, answer.headers.getSetCookie().join(), server.log()]
    for (const text of elsewhere) {
      t.notOk(text.includes(verifier), 'not in the address, the state, the cookie or the log')
      t.notOk(text.includes(sha256(verifier)), 'nor is its hash')
    }
    t.not(new URL(authUrl).searchParams.get('code_challenge'), sha256(verifier), 'it is not the verifier of PKCE')
  }
  t.equal(seen.size, 20)
})

test('O1: of the verifier and the cookie only the hashes are kept, beside the id of the session', async (t) => {
  const kept = new Map<string, string>()
  const store = { set: async (key: string, value: string) => void kept.set(key, value) }
  const same = (text: string) => text
  const unencrypted = { encrypt: same, decrypt: same, tryDecrypt: same }
  const requests = createAuthorizationRequests(store as never, unencrypted, false)
  const browser = { key: undefined, isBrowser: true }
  const made = await requests.create('corporate', 'https://console.example.com/', {
    target: {},
    browser,
    session: 'id',
    isBinding: false,
  })
  const [[key = '', text = ''] = []] = kept
  for (const secret of [made.browserVerifier, made.browserKey]) {
    t.notOk(text.includes(secret))
    t.notOk(key.includes(secret))
    t.ok(text.includes(sha256(secret)))
  }
  t.equal((JSON.parse(text) as { session: string }).session, 'id')
})

test('O1: front ends of another origin finish with the verifier alone, as form fields too', async (t) => {
  const { server, begin, provider } = await startFederation(t)
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://console.example.com' }
  const send = async (isVerified: boolean) => {
    const { authUrl, verifier } = (await begin('corporate', { headers })).body.data
    const form = {
      platform: 'corporate',
      ...provider('corporate').visit(authUrl),
      verifier: isVerified ? verifier : '',
    }
    return server.call('POST', '/social/callback', { form, headers })
  }
  t.match(expectSuccess(t, await send(true)).socialTicket, /^[0-9a-f]{64}$/)
  expectProblem(t, await send(false), 'invalid_grant')
})
