import { test } from 'tap'
import { expectProblem, expectSuccess } from '../helpers/service/expect.js'
import { startServer, userPassword } from '../helpers/service/server.js'

const listed = 'https://console.example.com'
const stranger = 'https://evil.example.net'

test('a sign-in by a form of another site is refused, and leaves no cookie and no count', async (t) => {
  const server = await startServer(t, { environment: { CORS_ORIGINS: listed } })
  await server.addUser('alice')
  const host = server.origin
  const site = (value: string) => ({ 'sec-fetch-site': value })
  const rows: [name: string, headers: Record<string, string>, isAccepted: boolean][] = [
    ['neither header: an app or a server', {}, true],
    ['a page of the same origin', { ...site('same-origin'), origin: host }, true],
    ['a page of the same site', { ...site('same-site'), origin: 'http://127.0.0.1:1' }, true],
    ['typed by the person', site('none'), true],
    ['a page of another site', { ...site('cross-site'), origin: stranger }, false],
    ['a page of another site that hides its origin', { ...site('cross-site'), origin: 'null' }, false],
    ['a page of another site, without Origin', site('cross-site'), false],
    ['a page of another site that claims our host', { ...site('cross-site'), origin: host }, false],
    ['a listed origin of another site', { ...site('cross-site'), origin: listed }, true],
    ['without Fetch Metadata, our host', { origin: host }, true],
    ['without Fetch Metadata, a listed origin', { origin: listed }, true],
    ['without Fetch Metadata, another site', { origin: stranger }, false],
    ['without Fetch Metadata, an app of another kind', { origin: `tauri://${new URL(host).host}` }, false],
    ['without Fetch Metadata, a hidden origin', { origin: 'null' }, false],
    ['without Fetch Metadata, a blank origin', { origin: '' }, false],
    ['without Fetch Metadata, another port', { origin: 'http://127.0.0.1:1' }, false],
    ['without Fetch Metadata, a host that begins alike', { origin: `${host}.evil.example.net` }, false],
  ]
  const types = ['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; charset=utf-8']
  for (const [name, headers, isAccepted] of rows) {
    for (const type of types) {
      await t.test(`${name}, ${type}`, async (t) => {
        const raw = new URLSearchParams({ username: 'alice', password: userPassword }).toString()
        const answer = await server.call('POST', '/auth/login', { raw, headers: { ...headers, 'content-type': type } })
        if (isAccepted) {
          expectSuccess(t, answer)
          return
        }
        expectProblem(t, answer, 'cross_site_form')
        t.match(answer.body.message, 'CORS_ORIGINS', 'what to set')
        t.same(answer.headers.getSetCookie(), [], 'no cookie')
        t.notMatch(answer.text, /accessToken/)
      })
    }
  }
  const wrong = new URLSearchParams({ username: 'alice', password: 'wrong' }).toString()
  for (let index = 0; index < 60; index++) {
    const headers = { ...site('cross-site'), 'content-type': types[0] ?? '' }
    expectProblem(t, await server.call('POST', '/auth/login', { raw: wrong, headers }), 'cross_site_form')
  }
  await server.signIn('alice')
})

test('no other type of body gets a form of another site through, and JSON is for CORS to judge', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const headers = { 'sec-fetch-site': 'cross-site', origin: stranger }
  for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'text/plain; application/json', '']) {
    const answer = await server.call('POST', '/auth/login', {
      raw: JSON.stringify({ username: 'alice', password: userPassword }),
      headers: { ...headers, 'content-type': type },
    })
    expectProblem(t, answer, 'cross_site_form')
  }
  const json = { username: 'alice', password: userPassword }
  const answer = await server.call('POST', '/auth/login', { json, headers })
  expectSuccess(t, answer)
  t.equal(answer.headers.get('access-control-allow-origin'), null)
})

test('a form of publicUrl signs in behind a proxy that changes Host, and no other origin does', async (t) => {
  const publicUrl = 'http://people.example.org/iam/'
  for (const settings of [{ publicUrl }, { issuer: publicUrl }]) {
    const server = await startServer(t, { settings })
    await server.addUser('alice')
    const rows: [headers: Record<string, string>, isAccepted: boolean][] = [
      [{ origin: 'http://people.example.org' }, true],
      [{ origin: 'https://people.example.org' }, false],
      [{ origin: 'http://people.example.org:81' }, false],
      [{ origin: 'http://people.example.org.evil.example.net' }, false],
      [{ origin: 'null' }, false],
      [{ origin: stranger }, false],
      [{ origin: stranger, 'sec-fetch-site': 'cross-site' }, false],
    ]
    for (const [headers, isAccepted] of rows) {
      const form = { username: 'alice', password: userPassword }
      const answer = await server.call('POST', '/auth/login', { form, headers })
      if (isAccepted) expectSuccess(t, answer)
      else expectProblem(t, answer, 'cross_site_form')
      t.equal(answer.headers.get('access-control-allow-origin'), null, 'a page of the same origin needs no CORS')
    }
    t.notMatch(server.log(), 'Pages of http://people.example.org ', 'a page of our own is not told to be listed')
    t.match(server.log(), 'Pages of https://people.example.org are taken for those of another origin')
  }
})
