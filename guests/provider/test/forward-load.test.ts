import { test } from 'tap'
import { askInThread } from '../../../test/helpers/load/asking.js'
import { longestWait, waitingTime } from '../../../test/helpers/load/waiting.js'
import { startThree } from '../../../test/helpers/processes/three-processes.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { createPageBrowser, ownPage } from '../../../test/helpers/service/page-browser.js'
import { userPassword } from '../../../test/helpers/service/passwords.js'
import { page, picture, send, startProtected, wikiHost, wikiOrigin } from './start-protected.js'

const said = { 'x-forwarded-proto': 'https', 'x-forwarded-host': wikiHost }
const asked = { ...said, 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/picture.png' }

test('a page full of pictures, and strangers who ask for it, keep nobody waiting', async (t) => {
  const { server, issuer, openVisitor } = await startProtected(t)
  const { accessToken: token } = await server.signIn()
  const visitor = openVisitor()
  await visitor.enter()
  const own = [...visitor.jarOf(wikiHost)].map(([key, value]) => `${key}=${value}`).join('; ')
  const stranger = `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`
  const idle = await waitingTime(server, token)
  for (const [cookie, status] of [
    [own, 200],
    [stranger, 401],
  ] as const) {
    const stop = await askInThread({
      // As many as a browser has to one host.
      ...{ url: `${issuer}/auth/forward`, connections: 6 },
      headers: { ...asked, ...picture, cookie },
    })
    const begun = performance.now()
    const waiting = await waitingTime(server, token)
    const statuses = await stop()
    const perSecond = (statuses[status] ?? 0) / ((performance.now() - begun) / 1000)
    t.strictSame(Object.keys(statuses), [String(status)])
    t.ok(waiting <= longestWait(idle), `others wait ${waiting.toFixed(1)} ms (${idle.toFixed(1)} ms when idle)`)
    // As many as it can: how many depends on the machine.
    t.comment(`${Math.round(perSecond)} answers a second of status ${status}`)
  }
})

test('an end at one of three processes is seen by the others with the next request', async (t) => {
  // Where nothing listens: each request names the process that it means.
  const issuer = 'http://127.0.0.1:9'
  const three = await startThree(t, { issuer, provider: { enabled: true }, trustProxy: ['127.0.0.1'] })
  const alice = { username: 'alice', realName: 'alice', password: userPassword, forcePasswordChange: false }
  const { id } = await three.operator.addUser({ ...alice, email: 'alice@example.com' })
  await three.operator.addRole('staff', 'Staff', [])
  await three.operator.assign('staff', 'alice')
  const admin = await three.signIn(0, 'admin')
  const json = { id: 'wiki', name: 'Wiki', type: 'forward', hosts: [wikiHost], access: { roles: ['staff'] } }
  expectSuccess(t, await three.at(0).call('POST', '/system/client', { token: admin, json }))

  /** Signs in, each step at another process, and returns the cookie. */
  const enter = async (): Promise<string> => {
    const browser = createPageBrowser(three.at(0))
    await browser.post('/auth/login', { headers: ownPage, json: { ...alice, cookie: true } })
    const person = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const begun = await send(`${three.at(1).origin}/.rollcall/sign-in`, { headers: said })
    const { pathname, search } = new URL(begun.headers.get('location') ?? '')
    const answer = await send(three.at(2).origin + pathname + search, { headers: { cookie: person } })
    const back = new URL(answer.headers.get('location') ?? '')
    t.equal(back.origin, wikiOrigin)
    const there = await send(three.at(0).origin + back.pathname + back.search, {
      headers: { ...said, cookie: cookieOf(begun) },
    })
    t.equal(there.status, 303)
    return cookieOf(there)
  }
  const at = async (index: number, cookie: string, more: object = picture) =>
    send(`${three.at(index).origin}/auth/forward`, { headers: { ...asked, ...more, cookie } })
  const everywhere = async (cookie: string, status: number, sentence: string) => {
    for (const index of [0, 1, 2]) t.equal((await at(index, cookie)).status, status, `${sentence}, at ${index}`)
  }

  const cookie = await enter()
  await everywhere(cookie, 200, 'signed in')
  await three.operator.setRoles(id, [])
  await everywhere(cookie, 403, 'without the role')
  await three.operator.assign('staff', 'alice')
  await everywhere(cookie, 200, 'with the role again')
  t.equal((await at(1, cookie)).headers.get('remote-email'), '')
  await three.db.verifiedContacts.add(id, { kind: 'email', text: 'alice@example.com' }, 1)
  for (const index of [0, 1, 2]) t.equal((await at(index, cookie)).headers.get('remote-email'), 'alice@example.com')

  const path = '/system/client/wiki'
  const change = (body: object) => three.at(1).call('PATCH', path, { token: admin, json: body })
  expectSuccess(t, await change({ access: { roles: ['board'] } }))
  await everywhere(cookie, 403, 'another role is asked')
  expectSuccess(t, await change({ access: { roles: [] }, openPaths: ['/'] }))
  t.equal((await at(2, '')).status, 200, 'open to everybody')
  expectSuccess(t, await change({ openPaths: [], hosts: ['other.example.com'] }))
  await everywhere(cookie, 403, 'the host is another')
  expectSuccess(t, await change({ hosts: [wikiHost] }))
  await everywhere(cookie, 200, 'the host is there again')

  const { accessToken: token } = (await three.at(2).signIn('alice', userPassword)).body.data as { accessToken: string }
  expectSuccess(t, await three.at(0).call('DELETE', '/auth/grants/wiki', { token }))
  await everywhere(cookie, 401, 'what the application knows has ended')
  const second = await enter()
  const left = await send(`${three.at(0).origin}/.rollcall/sign-out?from=here`, {
    ...{ method: 'POST', headers: { ...said, ...ownPage, cookie: second } },
  })
  t.equal(left.status, 200)
  await everywhere(second, 401, 'signed out of this host')
  const third = await enter()
  await three.operator.setEnabled('alice', false)
  await everywhere(third, 401, 'disabled')
  t.equal((await at(1, third, page)).status, 302)
})
