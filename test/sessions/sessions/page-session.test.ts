import { hash } from 'node:crypto'
import { test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import {
  createPageBrowser,
  isCleared,
  ownPage,
  pageCookiesOf,
  pageSignIn as json,
  senders,
  startWithPages as start,
} from '../../helpers/service/page-browser.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { parallel } from '../../helpers/values/compare.js'

test('ten reloads at once get one token, and neither they nor what follows sign anybody out', async (t) => {
  const { server, signIn, userInfo } = await start(t)
  const { browser, token } = await signIn()
  const reload = async () => expectSuccess(t, await browser.post('/auth/refreshToken')).accessToken as string
  const tokens = await parallel(10, reload)
  t.equal(new Set(tokens).size, 1)
  for (const each of [token, ...tokens]) expectSuccess(t, await userInfo(each))
  t.equal(await reload(), tokens[0], 'while it is valid')
  const { accessTtl } = server.app.installation.settings.clients.pc
  server.clock.advance(accessTtl + 1)
  expectProblem(t, await userInfo(token), 'token_expired')
  const renewed = await parallel(10, reload)
  t.equal(new Set(renewed).size, 1)
  t.not(renewed[0], tokens[0])
  expectSuccess(t, await userInfo(renewed[0] ?? ''))
  // A client that refreshes by its token starts the next generation, which the pages follow.
  const next = expectSuccess(
    t,
    await server.call('POST', '/auth/refreshToken', { token: renewed[0] ?? '', headers: deviceOf(browser) }),
  )
  t.equal(await reload(), next.accessToken)
  server.clock.advance(11)
  expectSuccess(t, await userInfo(await reload()))
})

const deviceOf = ({ jar }: ReturnType<typeof createPageBrowser>) => ({
  cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
})

test('a refresh by cookie from elsewhere is refused as without a token, and clears no cookie: the page stays signed in', async (t) => {
  const { server, signIn, userInfo } = await start(t)
  for (const [sentence, headers, isOwn] of senders) {
    const { browser, token } = await signIn()
    const answer = await browser.post('/auth/refreshToken', { json: {}, headers: headers(server.origin) })
    if (isOwn) {
      expectSuccess(t, answer)
      continue
    }
    expectProblem(t, answer, 'token_missing')
    t.same(answer.headers.getSetCookie(), [], sentence)
    t.notMatch(answer.text, /accessToken/)
    expectSuccess(t, await userInfo(token))
    expectSuccess(t, await browser.post('/auth/refreshToken'))
  }
  const forms = [{ form: {} }, { raw: '' }, { raw: 'x', headers: { ...ownPage, 'content-type': 'text/plain' } }]
  for (const form of forms) {
    const { browser } = await signIn()
    const answer = await browser.post('/auth/refreshToken', { headers: ownPage, ...form })
    t.notMatch(answer.text, /accessToken/)
    t.ok([401, 415].includes(answer.status))
    t.same(answer.headers.getSetCookie(), [])
    expectSuccess(t, await browser.post('/auth/refreshToken'))
  }
})

test('a cookie of another installation, a changed one and one of an ended session are refused and cleared', async (t) => {
  const { server, signIn } = await start(t)
  const other = await start(t, { isForeign: true })
  const foreign = await other.signIn()
  const { browser, token } = await signIn()
  const name = browser.pageCookieName() ?? ''
  const own = browser.pageCookie() ?? ''
  t.not(name, foreign.browser.pageCookieName(), 'both fit into one browser')

  const changed = [...own].map((letter, index) => {
    const at = own.slice(0, index) + (letter === 'A' ? 'B' : 'A') + own.slice(index + 1)
    return at
  })
  const forged = [foreign.browser.pageCookie() ?? '', ...changed, '', 'x', token, own.slice(0, -4), `${own}AAAA`]
  for (const value of forged) {
    if (value === own) continue
    const thief = createPageBrowser(server)
    for (const [key, kept] of browser.jar) thief.jar.set(key, key === name ? value : kept)
    const answer = await thief.post('/auth/refreshToken')
    // The last letter of base64 may have bits that mean nothing.
    if (answer.status === 200 && value.length === own.length && value.slice(0, -1) === own.slice(0, -1)) continue
    expectProblem(t, answer, 'token_invalid')
    t.ok(isCleared(answer))
  }
  const both = createPageBrowser(server)
  for (const [key, value] of [...foreign.browser.jar, ...browser.jar]) both.jar.set(key, value)
  expectSuccess(t, await both.post('/auth/refreshToken'))
  t.equal(both.jar.get(foreign.browser.pageCookieName() ?? ''), foreign.browser.pageCookie())

  const alone = createPageBrowser(server)
  for (const [key, value] of foreign.browser.jar) alone.jar.set(key, value)
  const answer = await alone.post('/auth/refreshToken')
  expectProblem(t, answer, 'token_missing')
  t.same(pageCookiesOf(answer), [], 'that of the other installation is not ours to clear')
})

test('sign-out, kick, disable and idle time end the session and clear the cookie', async (t) => {
  const { server, user, signIn, userInfo } = await start(t)
  const admin = (await server.signIn()).accessToken
  const ends: [
    sentence: string,
    end: (session: string) => Promise<unknown>,
    reason: 'session_revoked' | 'session_expired',
  ][] = [
    ['kick', (id) => server.call('DELETE', `/system/session/${id}`, { token: admin }), 'session_revoked'],
    ['disable', () => server.app.db.sessions.endOfUser(user.id, 'disabled', server.clock.now()), 'session_revoked'],
    ['idle', async () => server.clock.advance(server.app.installation.settings.clients.pc.idleTtl), 'session_expired'],
  ]
  for (const [sentence, end, reason] of ends) {
    const { browser, token } = await signIn()
    const { claims } = await server.app.tokens.verify(token)
    await end(claims.sid)
    const answer = await browser.post('/auth/refreshToken')
    expectProblem(t, answer, reason)
    t.ok(isCleared(answer), sentence)
    expectProblem(t, await browser.post('/auth/refreshToken'), 'token_missing')
  }
  const { browser, token } = await signIn()
  const answer = await browser.post('/auth/logout')
  t.equal(expectSuccess(t, answer), null)
  t.ok(isCleared(answer))
  expectProblem(t, await userInfo(token), 'session_revoked')
})

test('a sign-out by token clears the cookie of its session only', async (t) => {
  const { server, signIn, userInfo } = await start(t)
  const { browser, token } = await signIn()
  const { accessToken } = await server.signIn('alice')
  const other = await browser.post('/auth/logout', { token: accessToken })
  expectSuccess(t, other)
  t.same(pageCookiesOf(other), [])
  expectSuccess(t, await userInfo(token))
  const own = await browser.post('/auth/logout', { token })
  t.ok(isCleared(own))
  expectProblem(t, await userInfo(token), 'session_revoked')
})

test('a sign-out by cookie from elsewhere, or by a changed cookie, ends nothing', async (t) => {
  const { server, signIn, userInfo } = await start(t)
  for (const [sentence, headers, isOwn] of senders) {
    const { browser, token } = await signIn()
    const answer = await browser.post('/auth/logout', { json: {}, headers: headers(server.origin) })
    t.equal(expectSuccess(t, answer), null, sentence)
    t.equal(isCleared(answer), isOwn)
    if (isOwn) expectProblem(t, await userInfo(token), 'session_revoked')
    else expectSuccess(t, await userInfo(token))
  }
  const { browser, token } = await signIn()
  expectSuccess(t, await browser.post('/auth/logout', { form: {}, headers: ownPage }))
  expectSuccess(t, await userInfo(token))
  const [first = '', ...rest] = browser.pageCookie() ?? ''
  browser.jar.set(browser.pageCookieName() ?? '', [first === 'A' ? 'B' : 'A', ...rest].join(''))
  const cleared = await browser.post('/auth/logout')
  t.ok(isCleared(cleared))
  expectSuccess(t, await userInfo(token))
})

test('no other route takes the cookie for a token', async (t) => {
  const { server, signIn } = await start(t)
  const { browser } = await signIn()
  const headers = { ...ownPage, ...deviceOf(browser) }
  const routes: [method: string, path: string][] = [
    ['GET', '/auth/userInfo'],
    ['GET', '/auth/sessions'],
    ['POST', '/auth/stepUp'],
    ['GET', '/system/user/page'],
    ['POST', '/system/user'],
  ]
  for (const [method, path] of routes) {
    const answer = await server.call(method, path, { headers, ...(method === 'GET' ? {} : { json: {} }) })
    expectProblem(t, answer, 'token_missing')
    t.same(pageCookiesOf(answer), [])
  }
})

test('a token in the header wins over the cookie, also one that is refused', async (t) => {
  const { signIn } = await start(t)
  const { browser } = await signIn()
  const answer = await browser.post('/auth/refreshToken', { json: {}, token: 'no-token' })
  expectProblem(t, answer, 'token_invalid')
  t.same(pageCookiesOf(answer), [])
  expectSuccess(t, await browser.post('/auth/refreshToken'))
})

test('a session that knows its device cookie needs that, too', async (t) => {
  const { server, signIn } = await start(t)
  const { browser } = await signIn()
  const again = await browser.post('/auth/login', { json })
  expectSuccess(t, again)
  const thief = createPageBrowser(server)
  thief.jar.set(browser.pageCookieName() ?? '', browser.pageCookie() ?? '')
  const answer = await thief.post('/auth/refreshToken')
  expectProblem(t, answer, 'token_invalid')
  t.ok(isCleared(answer))
  expectSuccess(t, await browser.post('/auth/refreshToken'))
})

test('the database has only a hash of the secret, and no log has the cookie', async (t) => {
  const { server, signIn } = await start(t)
  const { browser, token } = await signIn()
  const cookie = browser.pageCookie() ?? ''
  const { id, secret } = JSON.parse(server.app.encryption.decrypt(cookie, 'page session')) as Record<string, string>
  t.equal(id, (await server.app.tokens.verify(token)).claims.sid)
  const database = await connect(server.directory)
  t.teardown(() => database.close())
  const [row] = await database.all('select * from sessions where id = ?', id ?? '')
  t.equal(row?.['page_secret_hash'], hash('sha256', secret ?? '', 'base64url'))
  t.notMatch(JSON.stringify(row), secret)
  expectSuccess(t, await browser.post('/auth/refreshToken'))
  for (const text of [cookie, secret ?? '']) t.notOk(server.log().includes(text))
})

test('a cookie with another secret, for another purpose or of a session without one is refused', async (t) => {
  const { server, signIn } = await start(t)
  const { browser, token } = await signIn()
  const cookie = browser.pageCookie() ?? ''
  const { encryption, tokens } = server.app
  const content = encryption.decrypt(cookie, 'page session')
  const idOf = async (of: string) => (await tokens.verify(of)).claims.sid
  const make = (id: string, secret: string, purpose = 'page session') =>
    encryption.encrypt(JSON.stringify({ id, secret }), purpose)
  const { secret } = JSON.parse(content) as { secret: string }
  const rows: [cookie: string, reason: 'token_invalid' | 'session_expired'][] = [
    [make(await idOf(token), `${secret}x`), 'token_invalid'],
    [make(await idOf(token), ''), 'token_invalid'],
    [make(await idOf(token), secret, 'device'), 'token_invalid'],
    [make(await idOf((await server.signIn('alice')).accessToken), secret), 'token_invalid'],
    [make('unknown', secret), 'session_expired'],
    [encryption.encrypt('[]', 'page session'), 'token_invalid'],
  ]
  for (const [value, reason] of rows) {
    const thief = createPageBrowser(server)
    for (const [key, kept] of browser.jar) thief.jar.set(key, key === browser.pageCookieName() ? value : kept)
    expectSuccess(t, await thief.post('/auth/logout'))
    for (const [key, kept] of browser.jar) thief.jar.set(key, key === browser.pageCookieName() ? value : kept)
    const answer = await thief.post('/auth/refreshToken')
    expectProblem(t, answer, reason)
    t.ok(isCleared(answer))
  }
  expectSuccess(t, await browser.post('/auth/refreshToken'))
})
