import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { cookiesOf, firstStep } from '../../helpers/service/factors.js'
import { createPageBrowser, ownPage } from '../../helpers/service/page-browser.js'
import { userPassword } from '../../helpers/service/server.js'
import { byHttps, cookie, facts, startUpgraded, ticketOf } from '../../helpers/service/upgraded.js'

const { tina, paula, walt } = facts.factors
const day = 86_400

test('sessions of version 0.3.0 go on, with the factor that was proved in them, by http and by https', async (t) => {
  const server = await startUpgraded(t)
  const { token } = tina
  const own = expectSuccess(t, await server.call('GET', '/auth/factors', { token }))
  t.equal(own.factors.length, 1)
  t.equal(own.recoveryCodesLeft, 9)
  t.equal(own.trustedDevices.length, 1)
  const made = expectSuccess(t, await server.call('POST', '/auth/factors/recovery-codes', { token, json: {} }))
  t.equal(made.recoveryCodes.length, 10, 'a proof of before the upgrade is as fresh as it was')
  expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  const bound = { token: tina.tokenOfTrusted }
  expectProblem(t, await server.call('POST', '/auth/refreshToken', bound), 'token_invalid')
  const headers = { ...byHttps, ...cookie(tina.trustedBrowser) }
  expectSuccess(t, await server.call('POST', '/auth/refreshToken', { ...bound, headers }))
})

test('a browser that was trusted by version 0.3.0 skips the second step until its days are over, and no other one does', async (t) => {
  const server = await startUpgraded(t)
  const headers = cookie(tina.trustedBrowser)
  const renewed = await firstStep(server, 'tina', { headers })
  expectSuccess(t, renewed)
  expectSuccess(t, await firstStep(server, 'tina', { headers: cookie(cookiesOf(renewed)) }))
  expectSuccess(t, await firstStep(server, 'tina', { headers }))
  for (const pair of [tina.cookieBeforeFactor, walt.knownBrowser, '']) await ticketOf(t, server, 'tina', cookie(pair))
  server.clock.advance(30 * day)
  await ticketOf(t, server, 'tina', headers)
})

test('over https the trusted browser is known by its former cookie, and gets one with a prefix in its place', async (t) => {
  const server = await startUpgraded(t)
  const [name] = tina.trustedBrowser.split('=')
  const first = await firstStep(server, 'tina', { headers: { ...byHttps, ...cookie(tina.trustedBrowser) } })
  expectSuccess(t, first)
  const [pair = '', cleared = '', ...more] = first.headers.getSetCookie()
  t.ok(pair.startsWith(`__Host-${name}=`))
  t.match(cleared, /^rollcall_device_[0-9a-f]{8}=; Max-Age=0; /)
  t.ok(cleared.startsWith(`${name}=`))
  t.strictSame(more, [])
  const headers = { ...byHttps, ...cookie(pair.split(';')[0] ?? '') }
  expectSuccess(t, await firstStep(server, 'tina', { headers }))
})

test('of an account without a factor a device of version 0.3.0 is known; of one with a factor, after its next sign-in there', async (t) => {
  const server = await startUpgraded(t, { captcha: { mode: 'never' } })
  const lock = async (username: string) => {
    for (let tries = 0; tries < 5; tries++) await firstStep(server, username, { json: { password: 'wrong' } })
    expectProblem(t, await firstStep(server, username), 'too_many_attempts')
  }
  await lock('paula')
  expectSuccess(t, await firstStep(server, 'paula', { headers: cookie(paula.deviceCookie) }))

  const headers = cookie(tina.trustedBrowser)
  const { lockout } = server.app.installation.settings
  await lock('tina')
  expectProblem(t, await firstStep(server, 'tina', { headers }), 'too_many_attempts')
  await ticketOf(t, server, 'tina', { authorization: `Bearer ${tina.token}` })
  server.clock.advance(lockout.firstPause)
  const next = await firstStep(server, 'tina', { headers })
  expectSuccess(t, next)
  server.clock.advance(day)
  await lock('tina')
  expectSuccess(t, await firstStep(server, 'tina', { headers: cookie(cookiesOf(next)) }))
})

test('a page session of version 0.3.0 goes on by http; by https its person signs in once', async (t) => {
  const server = await startUpgraded(t)
  const resume = (headers: Record<string, string>) =>
    server.call('POST', '/auth/refreshToken', { json: {}, headers: { ...ownPage, ...headers } })
  const pair = paula.pageCookie
  const resumed = await resume(cookie(pair))
  t.equal(expectSuccess(t, resumed).userInfo.username, 'paula')
  expectProblem(t, await resume({ ...byHttps, ...cookie(pair) }), 'token_missing')
  expectSuccess(t, await resume(cookie(pair)))

  const browser = createPageBrowser(server)
  const [name = '', value = ''] = pair.split('=')
  browser.jar.set(name, value)
  const headers = { ...ownPage, ...byHttps }
  const json = { username: 'paula', password: userPassword, cookie: true }
  expectSuccess(t, await browser.post('/auth/login', { json, headers }))
  t.notOk(browser.jar.has(name), 'the former cookie is cleared')
  t.ok(browser.jar.has(`__Host-${name}`))
  expectSuccess(t, await browser.post('/auth/refreshToken', { json: {}, headers }))
})
