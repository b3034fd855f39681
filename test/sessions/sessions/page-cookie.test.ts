import { test } from 'tap'
import { authenticatorOf } from '../../helpers/service/passkeys.js'
import { codeAt, enrol, firstStep } from '../../helpers/service/factors.js'
import {
  createPageBrowser,
  ownPage,
  pageCookiesOf,
  pageSignIn as json,
  senders,
  startWithPages as start,
} from '../../helpers/service/page-browser.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { userPassword } from '../../helpers/service/server.js'

test('a page of the same origin gets a cookie beside the answer of today', async (t) => {
  const { server, signIn } = await start(t)
  const browser = createPageBrowser(server)
  const answer = await browser.post('/auth/login', { json })
  const today = ['accessToken', 'expiresIn', 'forcePasswordChange', 'tokenType', 'userInfo']
  t.same(Object.keys(expectSuccess(t, answer)).sort(), today)
  const [line = '', ...more] = pageCookiesOf(answer)
  t.same(more, [])
  const { maxTtl } = server.app.installation.settings.clients.pc
  t.match(line, new RegExp(`^rollcall_page_[\\w-]{16}=[\\w-]+; Max-Age=${maxTtl}; Path=/; HttpOnly; SameSite=Lax$`))
  t.equal(browser.pageCookieName(), `rollcall_page_${server.app.encryption.installation}`)
  t.notMatch(answer.text, browser.pageCookie() ?? 'no cookie', 'not readable by scripts')
  t.not((await signIn()).browser.pageCookie(), browser.pageCookie(), 'each session has its own')
})

test('over https the cookie is secure, and another kind of client has its own lifetime', async (t) => {
  const { server } = await start(t, { environment: { TRUST_PROXY: '127.0.0.1' } })
  const headers = { ...ownPage, 'x-forwarded-proto': 'https' }
  const answer = await server.call('POST', '/auth/login', { json: { ...json, userClient: 'app' }, headers })
  const { maxTtl } = server.app.installation.settings.clients['app'] as { maxTtl: number }
  const attributes = `Max-Age=${maxTtl}; Path=/; HttpOnly; Secure; SameSite=Lax`
  t.match(pageCookiesOf(answer)[0], new RegExp(`^__Host-rollcall_page_[\\w-]{16}=[\\w-]+; ${attributes}$`))
})

test('whoever else asks for the cookie signs in as today, without it', async (t) => {
  const { server, userInfo } = await start(t)
  for (const [sentence, headers, isOwn] of senders) {
    const answer = await server.call('POST', '/auth/login', { json, headers: headers(server.origin) })
    const { accessToken } = expectSuccess(t, answer)
    t.equal(pageCookiesOf(answer).length, isOwn ? 1 : 0, sentence)
    expectSuccess(t, await userInfo(accessToken))
  }
  const form = { username: 'alice', password: userPassword, cookie: 'true' }
  const answers = [
    await server.call('POST', '/auth/login', { form, headers: ownPage }),
    await server.call('POST', '/auth/login', { json: { ...json, cookie: false }, headers: ownPage }),
    await server.call('POST', '/auth/login', { json: { ...json, cookie: undefined }, headers: ownPage }),
    await server.call('POST', '/auth/login', { json: { ...json, password: 'wrong' }, headers: ownPage }),
  ]
  t.same(answers.flatMap(pageCookiesOf), [])
})

test('the second step and the enrolment of a policy set the cookie, the first step does not', async (t) => {
  const { server } = await start(t, { settings: { secondFactor: { graceDays: 0 } } })
  const { accessToken } = await server.signIn('alice')
  const app = await enrol(t, server, accessToken)
  const browser = createPageBrowser(server)
  const first = await browser.post('/auth/login', { json })
  expectProblem(t, first, 'second_factor_required')
  t.same(pageCookiesOf(first), [])
  const { ticket } = first.body.data
  const second = { authType: 'totp', ticket, code: app.nextCode(), cookie: true }
  expectSuccess(t, await browser.post('/auth/login', { json: second }))
  expectSuccess(t, await browser.post('/auth/refreshToken'))

  await server.app.db.tenants.setSecondFactorRequired(1, true, server.clock.now())
  for (const name of ['bob', 'carol']) await server.addUser(name)
  const setup = async (username: string) => {
    const { ticket } = (await firstStep(server, username)).body.data
    const browser = createPageBrowser(server)
    return { ticket, browser }
  }
  const bob = await setup('bob')
  const begun = expectSuccess(t, await bob.browser.post('/auth/factors/totp', { json: { ticket: bob.ticket } }))
  const confirm = {
    ...{ key: begun.key, ticket: bob.ticket, cookie: true },
    code: codeAt(begun.secret, server.clock.now()),
  }
  const confirmed = await bob.browser.post('/auth/factors/totp/confirm', { json: confirm })
  t.ok(expectSuccess(t, confirmed).session)
  expectSuccess(t, await bob.browser.post('/auth/refreshToken'))

  const carol = await setup('carol')
  const begin = await carol.browser.post('/auth/factors/passkey/options', { json: { ticket: carol.ticket } })
  const credential = authenticatorOf(server).create(expectSuccess(t, begin))
  const register = { credential, ticket: carol.ticket, cookie: true }
  expectSuccess(t, await carol.browser.post('/auth/factors/passkey', { json: register }))
  const result = expectSuccess(t, await carol.browser.post('/auth/refreshToken'))
  t.equal(result.userInfo.username, 'carol')
})

const bobSignIn = { ...json, username: 'bob' }

test('a sign-in of another user in the same browser ends the session whose cookie it replaces', async (t) => {
  const { server, signIn, userInfo } = await start(t)
  await server.addUser('bob')
  const { browser, token } = await signIn()
  const elsewhere = await signIn()
  const before = browser.pageCookie()
  const bob = expectSuccess(t, await browser.post('/auth/login', { json: bobSignIn }))
  t.not(browser.pageCookie(), before)
  expectProblem(t, await userInfo(token), 'session_revoked')
  expectProblem(t, await server.call('POST', '/auth/refreshToken', { token }), 'session_revoked')
  expectSuccess(t, await userInfo(elsewhere.token))
  const list = expectSuccess(t, await server.call('GET', '/auth/sessions', { token: elsewhere.token }))
  t.equal(list.length, 1, 'the session that has ended is not in the list')
  expectSuccess(t, await userInfo(bob.accessToken))
})

test('a second sign-in of the same user keeps the session before it, whose token other tabs have', async (t) => {
  const { signIn, userInfo } = await start(t)
  const { browser, token } = await signIn()
  expectSuccess(t, await browser.post('/auth/login', { json }))
  expectSuccess(t, await userInfo(token))
})

test('the second step and an enrolment end the session of another user, too, and the first step does not', async (t) => {
  const { server, signIn, userInfo } = await start(t, { settings: { secondFactor: { graceDays: 0 } } })
  await server.addUser('bob')
  const app = await enrol(t, server, (await server.signIn('bob')).accessToken)
  const { browser, token } = await signIn()
  const { ticket } = (await browser.post('/auth/login', { json: bobSignIn })).body.data
  expectSuccess(t, await userInfo(token))
  const second = { authType: 'totp', ticket, code: app.nextCode(), cookie: true }
  const bob = expectSuccess(t, await browser.post('/auth/login', { json: second }))
  expectProblem(t, await userInfo(token), 'session_revoked')

  await server.app.db.tenants.setSecondFactorRequired(1, true, server.clock.now())
  await server.addUser('carol')
  const setup = (await firstStep(server, 'carol')).body.data.ticket as string
  const begun = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { json: { ticket: setup } }))
  const code = codeAt(begun.secret, server.clock.now())
  const confirm = { key: begun.key, ticket: setup, code, cookie: true }
  expectSuccess(t, await browser.post('/auth/factors/totp/confirm', { json: confirm }))
  expectProblem(t, await userInfo(bob.accessToken), 'session_revoked')
})

test('a sign-in ends nothing by a cookie that proves no session, or for a page of another origin', async (t) => {
  const { server, signIn, userInfo } = await start(t)
  await server.addUser('bob')
  const { browser, token } = await signIn()
  const [name, own] = [browser.pageCookieName() ?? '', browser.pageCookie() ?? '']
  const signInBob = (cookie: string, headers: Record<string, string> = ownPage, sent: object = { json: bobSignIn }) =>
    server.call('POST', '/auth/login', { ...sent, headers: { ...headers, cookie } })
  const { encryption } = server.app
  const { id } = JSON.parse(encryption.tryDecrypt(own, 'page session') ?? '') as { id: string }
  const forged = encryption.encrypt(JSON.stringify({ id, secret: 'another secret' }), 'page session')
  for (const cookie of [forged, `${own.slice(0, -4)}AAAA`, id, '', `${own}; ${name}=${own}`])
    expectSuccess(t, await signInBob(`${name}=${cookie}`))
  for (const [, headers, isOwn] of senders) if (!isOwn) await signInBob(`${name}=${own}`, headers(server.origin))
  const form = { username: 'bob', password: userPassword, cookie: 'true' }
  await signInBob(`${name}=${own}`, ownPage, { form })
  expectProblem(
    t,
    await signInBob(`${name}=${own}`, ownPage, { json: { ...bobSignIn, password: 'wrong' } }),
    'invalid_credentials',
  )
  await signInBob(`${name}=${own}`, ownPage, { json: { ...bobSignIn, cookie: false } })
  expectSuccess(t, await userInfo(token))
  expectSuccess(t, await signInBob(`${name}=${own}`))
  expectProblem(t, await userInfo(token), 'session_revoked')
})
