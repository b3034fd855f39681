import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import {
  createPageBrowser,
  ownPage,
  pageCookiesOf,
  pageSignIn,
  senders,
  startWithPages,
} from '../../helpers/service/page-browser.js'

const path = '/auth/pageSession'
const proxied = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' }
const plain = 'http://lan.example'

test('a page is told whether the browser keeps its cookie, and if not, why', async (t) => {
  const { server, signIn } = await startWithPages(t)
  const { browser, token } = await signIn()
  const stateOf = async (headers: Record<string, string>) =>
    expectSuccess(t, await browser.post(path, { json: {}, token, headers })).state as string
  for (const [sentence, headers, isOwn] of senders)
    t.equal(await stateOf(headers(server.origin)), isOwn ? 'kept' : 'address', sentence)
  const other = await signIn()
  const mixed = await other.browser.post(path, { json: {}, token, headers: ownPage })
  t.equal(expectSuccess(t, mixed).state, 'cookie', 'the cookie of another session is none of this one')
  const none = await createPageBrowser(server).post(path, { json: {}, token, headers: ownPage })
  t.equal(expectSuccess(t, none).state, 'cookie')
  t.strictSame(none.headers.getSetCookie(), [], 'it sets none')
  t.equal((await browser.post(path, { json: {} })).status, 401, 'the cookie alone is no answer to who asks')
  const form = await browser.post(path, { form: {}, token, headers: ownPage })
  t.equal(expectSuccess(t, form).state, 'address', 'a form is no request of a page of ours')
})

test('what keeps the cookie back is logged once for each origin, and for twenty at most', async (t) => {
  const { server, signIn } = await startWithPages(t, { environment: { TRUST_PROXY: '127.0.0.1' } })
  const { token } = await signIn()
  const ask = (origin: string, more: Record<string, string> = {}) =>
    server.call('POST', path, { json: {}, token, headers: { ...ownPage, origin, ...more } })
  const told = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('cannot keep its session'))
  for (let times = 0; times < 2; times++) {
    t.equal(expectSuccess(t, await ask('http://a.example', proxied)).state, 'encryption')
    t.equal(expectSuccess(t, await ask('https://b.example', proxied)).state, 'cookie')
  }
  t.equal(told().length, 2)
  for (const line of told()) t.match(line, /"level":40.*publicUrl/)
  for (let index = 0; index < 40; index++) await ask(`http://${index}.example`)
  t.equal(told().length, 20)
  t.notMatch(server.log(), token)
})

test('a page of a plain publicUrl keeps its cookie, and a page by https has no other one than before', async (t) => {
  const { server } = await startWithPages(t, {
    settings: { publicUrl: `${plain}/iam` },
    environment: { TRUST_PROXY: '127.0.0.1' },
  })
  const cookieOf = async (headers: Record<string, string>) => {
    const browser = createPageBrowser(server)
    const answer = await browser.post('/auth/login', { json: pageSignIn, headers: { ...proxied, ...headers } })
    const state = await browser.post(path, {
      json: {},
      token: expectSuccess(t, answer).accessToken as string,
      headers: { ...proxied, ...headers },
    })
    return [pageCookiesOf(answer).join(), expectSuccess(t, state).state] as const
  }
  const [named, state] = await cookieOf({ origin: plain })
  t.match(named, /^rollcall_page_/)
  t.notMatch(named, /Secure/)
  t.equal(state, 'kept')
  for (const headers of [
    { origin: 'https://lan.example', ...ownPage },
    { origin: `${plain}:81`, ...ownPage },
    ownPage,
  ] as Record<string, string>[])
    t.match((await cookieOf(headers))[0], /^__Host-rollcall_page_.*; Secure/, JSON.stringify(headers))
  t.strictSame(await cookieOf({ origin: 'http://other.example' }), ['', 'address'], 'nor is another origin ours')
})
