import { test } from 'tap'
import { page, picture, startProtected, wikiHost, wikiOrigin } from './start-protected.js'

test('somebody who opens a protected page signs in and is there, and the application is told who it is', async (t) => {
  const { server, issuer, alice, openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  const first = await visitor.send('GET', `${wikiOrigin}/plans?year=2027`, page)
  t.equal(first.status, 302)
  t.equal(first.headers.get('location'), `${wikiOrigin}/.rollcall/sign-in?return=%2Fplans%3Fyear%3D2027`)
  const { url } = await visitor.open(`${wikiOrigin}/plans?year=2027`)
  t.equal(url.href.split('=')[0], `${issuer}/sign-in?interaction`)
  await visitor.signIn()
  const there = await visitor.goOn(url)
  t.equal(there.url.href, `${wikiOrigin}/plans?year=2027`)
  t.equal(there.status, 200)
  t.match(Object.fromEntries(there.response?.headers ?? []), {
    'remote-user': 'alice',
    'remote-name': 'alice',
    'remote-email': '',
    'remote-groups': '',
    'x-user-id': String(alice.id),
    'x-tenant-id': '1',
    'cache-control': 'no-store',
  })
  t.match(await there.response?.json(), { code: 200, data: null })
  t.equal((await visitor.send('GET', `${wikiOrigin}/logo.png`, picture)).status, 200)
  t.equal((await visitor.send('POST', `${wikiOrigin}/save`)).status, 200)
  t.equal([...visitor.jarOf(wikiHost).keys()].length, 1)
  void server
})
