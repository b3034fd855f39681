import type { Test } from 'tap'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { ownPage, pageSignIn, startWithPages } from '../../helpers/service/page-browser.js'
import { browserCookie, startFederation } from '../../helpers/peers/federation.js'
import type { Answer, TestServer } from '../../helpers/service/server.js'

const environment = { TRUST_PROXY: '127.0.0.1' }
const secure = { 'x-forwarded-proto': 'https' }
const start = (t: Test) => startWithPages(t, { environment })

interface Sent {
  cookie?: string
  /** Whether a trusted proxy says that the request came by https. */
  isSecure?: boolean
}
const headersOf = ({ cookie, isSecure = true }: Sent) => ({
  ...ownPage,
  ...(isSecure ? secure : {}),
  ...(cookie !== undefined && { cookie }),
})
const signInAt = (server: TestServer, sent: Sent = {}) =>
  server.call('POST', '/auth/login', { json: pageSignIn, headers: headersOf(sent) })
const resume = (server: TestServer, sent: Sent) =>
  server.call('POST', '/auth/refreshToken', { json: {}, headers: headersOf(sent) })
const signOut = (server: TestServer, sent: Sent) =>
  server.call('POST', '/auth/logout', { json: {}, headers: headersOf(sent) })

/** What an answer sets, as `name=value` by its name without prefix. */
const pairsOf = (answer: Answer) => answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
const pairOf = (answer: Answer, kind: string): string => pairsOf(answer).find((pair) => pair.includes(kind)) ?? ''
const [page, device] = ['rollcall_page_', 'rollcall_device_'] as const
const plain = (pair: string) => pair.replace('__Host-', '')
const clearedIn = (answer: Answer) =>
  answer.headers.getSetCookie().flatMap((line) => (line.includes('=; Max-Age=0; ') ? [line.split('=')[0]] : []))

test('over https each cookie is for this host alone, and for https alone', async (t) => {
  const { server } = await start(t)
  const lines = (await signInAt(server)).headers.getSetCookie()
  t.equal(lines.length, 2)
  for (const line of lines) {
    t.match(line, /^__Host-rollcall_(page|device)_[\w-]+=[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    t.notMatch(line, /domain/i)
  }
  for (const line of (await signInAt(server, { isSecure: false })).headers.getSetCookie()) {
    t.match(line, /^rollcall_/, 'by http a browser would not take the prefix')
    t.notMatch(line, /Secure/)
  }
})

test('publicUrl with https decides it, too, and what a stranger says of https does not', async (t) => {
  const names = async (settings: object) => {
    const { server } = await startWithPages(t, { settings: settings as never })
    return pairsOf(await signInAt(server)).map((pair) => pair.replace(/rollcall_.*/, ''))
  }
  t.strictSame(await names({ publicUrl: 'https://people.example.org/iam' }), ['__Host-', '__Host-'])
  t.strictSame(await names({ issuer: 'https://people.example.org' }), ['__Host-', '__Host-'])
  t.strictSame(await names({ publicUrl: 'http://people.example.org' }), ['', ''])
  t.strictSame(await names({ issuer: 'rollcall' }), ['', ''])
})

test('a page cookie that a sibling domain has planted signs nobody in over https', async (t) => {
  const { server } = await start(t)
  await server.addUser('mallory')
  const attack = await server.call('POST', '/auth/login', {
    json: { ...pageSignIn, username: 'mallory' },
    headers: headersOf({}),
  })
  const planted = plain(pairOf(attack, page))
  const own = pairOf(await signInAt(server), page)
  const userOf = (answer: Answer) => expectSuccess(t, answer).userInfo.username as string
  t.equal(userOf(await resume(server, { cookie: pairOf(attack, page) })), 'mallory', 'it is a good cookie')
  for (const cookie of [planted, `${planted}; ${planted}`, `${planted}; other=1`]) {
    const answer = await resume(server, { cookie })
    expectProblem(t, answer, 'token_missing')
    t.notMatch(answer.text, /mallory/)
    t.same(answer.headers.getSetCookie(), [])
    expectSuccess(t, await signOut(server, { cookie }))
    t.equal(userOf(await resume(server, { cookie: pairOf(attack, page) })), 'mallory', 'nor does it end anything')
  }
  for (const cookie of [`${planted}; ${own}`, `${own}; ${planted}`]) {
    t.equal(userOf(await resume(server, { cookie })), 'alice')
  }
})

test('a name that only looks like that of the host counts for nothing', async (t) => {
  const { server } = await start(t)
  const own = pairOf(await signInAt(server), page)
  const name = own.split('=')[0] ?? ''
  const value = own.split('=')[1] ?? ''
  // A server that takes any blank away reads the second as the first, which a browser lets a sibling domain set.
  for (const before of ['\u00a0', '\u0085', '\u000b', '\u000c']) {
    const answer = await resume(server, { cookie: `${before}${own}` }).catch(() => undefined)
    if (answer) expectProblem(t, answer, 'token_missing')
    const beside = await resume(server, { cookie: `${own}; ${before}${name}=x` }).catch(() => undefined)
    if (beside) expectSuccess(t, beside)
  }
  for (const cookie of [
    `${name.replace('__Host-', '__host-')}=${value}`,
    `${name.replace('__Host-', '__HOST-')}=${value}`,
    `${name.replace('__Host-', '__Secure-')}=${value}`,
    `${name.replace('__Host-', '__Host-__Host-')}=${value}`,
    `${name} =${value}`,
    `$${own}`,
    `x=${own}`,
    `"${own}"`,
  ])
    expectProblem(t, await resume(server, { cookie }), 'token_missing')
  expectSuccess(t, await resume(server, { cookie: ` \t${own}\t ` }))
})

test('a name that comes twice counts for nothing, over https and http, and is not cleared', async (t) => {
  const { server } = await start(t)
  for (const isSecure of [true, false]) {
    const first = await signInAt(server, { isSecure })
    const second = await signInAt(server, { isSecure })
    const [one, other] = [pairOf(first, page), pairOf(second, page)]
    const name = one.split('=')[0] ?? ''
    for (const cookie of [`${one}; ${other}`, `${one}; ${one}`, `${one}; a=b; ${name}=`, `${name}=; ${one}`]) {
      const answer = await resume(server, { cookie, isSecure })
      expectProblem(t, answer, 'token_missing')
      t.same(answer.headers.getSetCookie(), [], 'to clear ours would leave theirs')
      const signedOut = await signOut(server, { cookie, isSecure })
      expectSuccess(t, signedOut)
      t.same(signedOut.headers.getSetCookie(), [])
    }
    expectSuccess(t, await resume(server, { cookie: other, isSecure }))
    const twice = `${pairOf(first, device)}; ${pairOf(second, device)}`
    const id = async (cookie: string) => {
      const answer = await signInAt(server, { cookie, isSecure })
      const text = pairOf(answer, device).split('=')[1]
      return server.app.devices.of({ cookie: text }).recognise(1, { kind: 'username', text: 'alice' })
    }
    const known = [await id(pairOf(first, device)), await id(pairOf(second, device))]
    t.notOk(known.includes(await id(twice)), 'a new device')
  }
})

test('a page session of before the prefix needs a new sign-in over https, which clears its cookie', async (t) => {
  const { server } = await start(t)
  const before = await signInAt(server, { isSecure: false })
  const cookie = pairsOf(before).join('; ')
  expectProblem(t, await resume(server, { cookie }), 'token_missing')
  expectSuccess(t, await resume(server, { cookie, isSecure: false }))
  const anew = await signInAt(server, { cookie })
  t.same(
    clearedIn(anew).sort(),
    pairsOf(before)
      .map((pair) => pair.split('=')[0])
      .sort(),
  )
  expectSuccess(
    t,
    await resume(server, {
      cookie: pairsOf(anew)
        .filter((pair) => !pair.endsWith('='))
        .join('; '),
    }),
  )
})

test('a device of before the prefix stays known until the next sign-in, and its sessions go on', async (t) => {
  const { server } = await start(t)
  const before = await signInAt(server, { isSecure: false })
  const old = pairOf(before, device)
  const idIn = (pair: string) =>
    server.app.devices.of({ cookie: pair.split('=')[1] }).recognise(1, { kind: 'username', text: 'alice' })
  // A session that is bound to the device.
  const { accessToken } = expectSuccess(t, await signInAt(server, { cookie: old, isSecure: false }))
  const refresh = (cookie?: string) =>
    server.call('POST', '/auth/refreshToken', { token: accessToken, headers: headersOf({ ...(cookie && { cookie }) }) })
  expectProblem(t, await refresh(), 'token_invalid')
  expectSuccess(t, await refresh(old))
  const anew = await signInAt(server, { cookie: old })
  const line = pairsOf(anew).find((pair) => pair.startsWith(`__Host-${device}`)) ?? ''
  t.type(await idIn(line), 'string')
  t.same(clearedIn(anew), [old.split('=')[0]])
  // Planted later, it no longer counts.
  const other = pairOf(await signInAt(server, { isSecure: false }), device)
  const renewed = await signInAt(server, { cookie: `${other}; ${line}` })
  const kept = pairsOf(renewed).find((pair) => pair.startsWith(`__Host-${device}`)) ?? ''
  t.not(await idIn(kept), await idIn(other))
})

test('a sign-in at a provider goes on over https only by the cookie of this host', async (t) => {
  const { begin, provider, callback } = await startFederation(t, { environment })
  const back = async (headers: Record<string, string>) => {
    const begun = await begin('corporate', { headers: { ...secure, ...ownPage, ...headers } })
    const [line = '', ...more] = begun.headers.getSetCookie()
    const { code, state } = provider('corporate').visit(begun.body.data.authUrl)
    return { line, more, code, state }
  }
  const { line, more, code, state } = await back({})
  t.match(line, new RegExp(`^__Host-${browserCookie}=[\\w-]{22}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax$`))
  t.same(more, [])
  const pair = line.split(';')[0] ?? ''
  const sent = (cookie: string) => ({ ...secure, ...ownPage, cookie })
  const json = { platform: 'corporate', code, state }
  expectProblem(t, await callback(json, sent(plain(pair))), 'invalid_grant')
  const again = await back({ cookie: pair })
  t.equal(again.line.split(';')[0], pair, 'all tabs of a browser share it')
  expectSuccess(t, await callback({ platform: 'corporate', code: again.code, state: again.state }, sent(pair)))
  const planted = await back({ cookie: plain(pair) })
  t.not(planted.line.split(';')[0], pair, 'a key that somebody has planted is not adopted')
  t.match(planted.more.join(), new RegExp(`^${browserCookie}=; Max-Age=0; `))
})
