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
