import { test, type Test } from 'tap'
import { createClient, type ClientOptions } from '../../../client/index.js'
import { codeAt, enrol, stepLength } from '../../helpers/service/factors.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

/** A browser of the origin of the service: its tabs share the cookies, and each has a client of its own. */
const startBrowser = async (t: Test) => {
  const server = await startServer(t)
  for (const name of ['alice', 'bob']) await server.addUser(name)
  const jar = new Map<string, string>()
  const requests: string[] = []
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    const by = headers.has('authorization') ? 'token' : 'no token'
    requests.push(`${init?.method ?? 'GET'} ${new URL(input).pathname} by ${by}`)
    headers.set('sec-fetch-site', 'same-origin')
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(input, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split('; ')
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (line.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  const signedOut: (string | undefined)[] = []
  const openTab = (options: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: server.origin,
      session: 'cookie',
      fetch: send,
      onSignedOut: ({ reason }) => signedOut.push(reason),
      ...options,
    })
  return { server, jar, requests, signedOut, openTab }
}
const alice = { username: 'alice', password: userPassword }
const bob = { username: 'bob', password: userPassword }

test('after a reload the session goes on, with one refresh and without a token in any storage', async (t) => {
  const { server, openTab, requests } = await startBrowser(t)
  const first = openTab()
  t.equal(await first.resume(), undefined, 'before a sign-in')
  t.equal((await first.signIn(alice)).userInfo.username, 'alice')
  requests.length = 0
  const reloaded = openTab()
  t.equal(await reloaded.token(), undefined)
  t.equal((await reloaded.resume())?.userInfo.username, 'alice')
  t.equal((await reloaded.call('GET /auth/userInfo')).username, 'alice')
  t.same(requests, ['POST /auth/refreshToken by no token', 'GET /auth/userInfo by token'])

  const lazy = openTab()
  const names = await Promise.all(Array.from({ length: 10 }, () => lazy.call('GET /auth/userInfo')))
  t.same(new Set(names.map(({ username }) => username)), new Set(['alice']))
  t.equal(requests.filter((request) => request === 'POST /auth/refreshToken by no token').length, 2)
  t.notMatch(server.log(), 'an old token was used again')
})

test('ten tabs over the end of a token sign nobody out', async (t) => {
  const { server, openTab, signedOut } = await startBrowser(t)
  const tabs = Array.from({ length: 10 }, () => openTab())
  await tabs[0]?.signIn(alice)
  for (let round = 0; round < 3; round++) {
    const users = await Promise.all(tabs.map((tab) => tab.call('GET /auth/userInfo')))
    t.same(new Set(users.map(({ username }) => username)), new Set(['alice']))
    t.equal(new Set(await Promise.all(tabs.map((tab) => tab.token()))).size, round === 0 ? 2 : 1)
    server.clock.advance(1801)
  }
  t.same(signedOut, [])
})

test('the second step sets the cookie, too', async (t) => {
  const { server, openTab } = await startBrowser(t)
  const { accessToken } = await server.signIn('alice')
  const app = await enrol(t, server, accessToken)
  server.clock.advance(stepLength)
  const tab = openTab()
  const refusal = await tab.signIn(alice).catch((error: unknown) => error)
  await tab.finishSignIn(refusal as never, { authType: 'totp', code: codeAt(app.secret, server.clock.now()) })
  t.equal((await openTab().resume())?.userInfo.username, 'alice')
})

test('a sign-out ends the session in all tabs, also in one that has no token yet', async (t) => {
  const { openTab, jar, signedOut } = await startBrowser(t)
  const tab = openTab()
  await tab.signIn(alice)
  const other = openTab()
  await other.resume()
  await openTab().signOut()
  t.notOk([...jar.keys()].some((name) => name.startsWith('rollcall_page_')))
  await t.rejects(other.call('GET /auth/userInfo'), { name: 'RollcallError', reason: 'session_revoked' })
  t.same(signedOut, ['session_revoked'])
  t.equal(await other.token(), undefined)
  t.equal(await openTab().resume(), undefined)

  await tab.signIn(alice)
  await tab.signOut()
  t.notOk([...jar.keys()].some((name) => name.startsWith('rollcall_page_')))
  await t.rejects(tab.call('GET /auth/userInfo'), { name: 'RollcallError', reason: 'token_missing' })
})

test('no call of one account is repeated as that of another which has signed in meanwhile', async (t) => {
  const { server, openTab, signedOut } = await startBrowser(t)
  const tab = openTab()
  await tab.signIn(alice)
  await openTab().signIn(bob)
  server.clock.advance(1801)
  await t.rejects(tab.call('PATCH /auth/profile', { body: { realName: 'Alice' } }), {
    name: 'RollcallError',
    reason: 'session_replaced',
  })
  t.same(signedOut, ['session_replaced'])
  t.equal(await tab.token(), undefined)
  const { realName } = (await tab.resume())?.userInfo ?? {}
  t.equal(realName, 'bob', 'unchanged')
})

test('an outage signs nobody out, and is told', async (t) => {
  const { server, openTab, signedOut } = await startBrowser(t)
  const tab = openTab()
  await tab.signIn(alice)
  const offline = openTab({ fetch: () => Promise.reject(new TypeError('offline')) })
  await t.rejects(offline.resume(), { message: 'offline' })
  await server.app.close()
  await t.rejects(tab.resume(), TypeError)
  t.ok(await tab.token())
  t.same(signedOut, [])
})

test('messages come in the language that the page asks for', async (t) => {
  const { openTab } = await startBrowser(t)
  const wrong = { username: 'alice', password: 'wrong horse' }
  let language = 'zh'
  const rows: [client: ReturnType<typeof openTab>, message: RegExp][] = [
    [openTab({ language: 'zh' }), /[一-鿿]/],
    [openTab({ language: 'en' }), /^[ -~]+$/],
    [openTab({ language: () => language }), /[一-鿿]/],
    [openTab(), /^[ -~]+$/],
  ]
  for (const [client, message] of rows) await t.rejects(client.signIn(wrong), { message })
  language = 'en'
  for (const [client] of rows.slice(2)) await t.rejects(client.signIn(wrong), { message: /^[ -~]+$/ })
})
