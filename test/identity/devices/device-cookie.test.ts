import { test, type Test } from 'tap'
import { parallel, tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type Answer, type CallOptions } from '../../helpers/service/server.js'

const wrong = 'wrong horse battery'
/** Nobody has signed in from there, so that only the cookie makes somebody known. */
const elsewhere = { address: '192.0.2.99' }

/** A browser that keeps the cookies of the answers. */
const createBrowser = () => {
  const jar = new Map<string, string>()
  return {
    jar,
    cookie: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    keep(answer: Answer) {
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const [name = '', value = ''] = pair.split('=')
        jar.set(name, value)
      }
      return answer
    },
  }
}
type Browser = ReturnType<typeof createBrowser>

const start = async (t: Test, options: { isForeign?: boolean } = {}) => {
  const server = await startServer(t, {
    environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'on' },
    settings: { captcha: { mode: 'never' }, rateLimits: { signIn: 10_000, refresh: 10_000 } },
    ...options,
  })
  const login = async (username: string, browser: Browser, more: { password?: string; address?: string } = {}) => {
    const { password = userPassword, address = '198.51.100.7' } = more
    const headers = { 'x-forwarded-for': address, ...(browser.jar.size > 0 ? { cookie: browser.cookie() } : {}) }
    return browser.keep(await server.call('POST', '/auth/login', { json: { username, password }, headers }))
  }
  /** Strangers fail until the name waits wherever it is tried. */
  const lock = async (username: string) => {
    const answers = await parallel(70, (index) =>
      login(username, createBrowser(), { password: wrong, address: `203.0.113.${index}` }),
    )
    t.same(tally(answers), { invalid_credentials: 16, too_many_attempts: 54 })
    expectProblem(t, await login(username, createBrowser(), elsewhere), 'too_many_attempts')
  }
  const idOf = (browser: Browser, username: string) => {
    const [cookie] = browser.jar.values()
    return server.app.devices.of({ cookie }).recognise(1, { kind: 'username', text: username })
  }
  return { server, login, lock, idOf }
}

test('on a shared computer each of those who have signed in is known', async (t) => {
  const { server, login, lock, idOf } = await start(t)
  for (const name of ['alice', 'bob', 'carol']) await server.addUser(name)
  const browser = createBrowser()
  for (const name of ['alice', 'bob', 'alice', 'carol']) expectSuccess(t, await login(name, browser))
  t.equal(browser.jar.size, 1, 'one cookie')
  const ids = await Promise.all(['alice', 'bob', 'carol'].map((name) => idOf(browser, name)))
  t.equal(new Set(ids).size, 3, 'each has an id of its own there')
  await server.addUser('dora')
  t.equal(await idOf(browser, 'dora'), undefined)
  for (const name of ['alice', 'bob', 'carol']) {
    await lock(name)
    expectSuccess(t, await login(name, browser, elsewhere))
  }
  t.same(await Promise.all(['alice', 'bob', 'carol'].map((name) => idOf(browser, name))), ids, 'and keeps it')
})

test('a cookie remembers the last twenty accounts and stays below what browsers take', async (t) => {
  const { server, login, idOf } = await start(t)
  const names = Array.from({ length: 21 }, (_, index) => `user-${index}`)
  for (const name of names) await server.addUser(name)
  const browser = createBrowser()
  for (const name of names.slice(0, 20)) await login(name, browser)
  t.ok(await idOf(browser, 'user-0'))
  await login('user-0', browser)
  await login('user-20', browser)
  const known = await Promise.all(names.map(async (name) => [name, (await idOf(browser, name)) !== undefined]))
  t.same(
    known.filter(([, isKnown]) => !isKnown),
    [['user-1', false]],
    'only who has not signed in for longest is forgotten',
  )
  t.ok(browser.cookie().length < 4096 - 200, `${browser.cookie().length} bytes`)
})

test('an account is forgotten 180 days after its last sign-in, whoever else signs in there', async (t) => {
  const { server, login, idOf } = await start(t)
  await server.addUser('alice')
  await server.addUser('bob')
  const browser = createBrowser()
  await login('alice', browser)
  server.clock.advance(100 * 86_400)
  await login('bob', browser)
  t.ok(await idOf(browser, 'alice'))
  server.clock.advance(80 * 86_400)
  await login('bob', browser)
  t.equal(await idOf(browser, 'alice'), undefined)
  t.ok(await idOf(browser, 'bob'))
})

test('two installations on one host each have a cookie of their own', async (t) => {
  const one = await start(t)
  const other = await start(t, { isForeign: true })
  for (const { server } of [one, other]) await server.addUser('alice')
  const browser = createBrowser()
  expectSuccess(t, await one.login('alice', browser))
  expectSuccess(t, await other.login('alice', browser))
  t.equal(browser.jar.size, 2)
  for (const name of browser.jar.keys()) t.match(name, /^rollcall_device_[0-9a-f]{8}$/)
  for (const { lock, login } of [one, other]) {
    await lock('alice')
    expectSuccess(t, await login('alice', browser, elsewhere))
  }
  t.equal(browser.jar.size, 2, 'and the same one each time')
})

test('a password change renews the cookie; a refused one leaves none', async (t) => {
  const { server, login, idOf } = await start(t)
  await server.addUser('alice')
  const browser = createBrowser()
  const { accessToken: token } = expectSuccess(t, await login('alice', browser))
  const id = await idOf(browser, 'alice')
  const before = browser.cookie()
  server.clock.advance(3600)
  const { accessToken } = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  const change = (oldPassword: string): Promise<Answer> => {
    const options: CallOptions = { token: accessToken, headers: { cookie: browser.cookie() } }
    return server.call('POST', '/auth/changePassword', {
      ...options,
      json: { oldPassword, newPassword: 'brass kettle whistle' },
    })
  }
  const refused = await change(wrong)
  expectProblem(t, refused, 'invalid_credentials')
  t.same(refused.headers.getSetCookie(), [])
  const answer = browser.keep(await change(userPassword))
  expectSuccess(t, answer)
  t.match(answer.headers.get('set-cookie'), /Max-Age=15552000;.*HttpOnly/)
  t.not(browser.cookie(), before)
  t.not(await idOf(browser, 'alice'), id, 'a copy of the former cookie is another device')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: accessToken }))
})
