import { test } from 'tap'
import { page, picture, startProtected, statusAt, wikiHost, wikiOrigin, type Visitor } from './start-protected.js'

const returns: [given: string, target: string | undefined][] = [
  ['/plans?a=1', '/plans?a=1'],
  ['/%2F%2Fevil.example.net', '/%2F%2Fevil.example.net'],
  [`${wikiOrigin}/plans`, '/plans'],
  ['https://other.example.com/', undefined],
  [`https://alice@${wikiHost}/`, undefined],
  [`http://${wikiHost}/`, undefined],
  ['//evil.example.net', undefined],
  ['/\\evil.example.net', undefined],
  ['/..//evil.example.net', undefined],
  ['https:evil.example.net', undefined],
  ['javascript:alert(1)', undefined],
  ['/\tevil', undefined],
  [`/${'a'.repeat(8192)}`, undefined],
]
test('after the sign-in nobody is led anywhere but to the host', async (t) => {
  const { openVisitor, issuer } = await startProtected(t)
  const visitor = openVisitor()
  for (const [given, target] of returns) {
    const query = new URLSearchParams({ return: given }).toString()
    const begun = await visitor.send('GET', `${wikiOrigin}/.rollcall/sign-in?${query}`, page)
    t.equal(begun.status, target === undefined ? 400 : 303, given.slice(0, 40))
    if (target === undefined) {
      t.notOk(begun.headers.has('location'))
      t.match(await begun.text(), `href="https:&#47;&#47;${wikiHost}&#47;"`.replaceAll('&#47;', '/'))
      continue
    }
    const { url } = await visitor.open(begun.headers.get('location') ?? '')
    if (url.href.startsWith(issuer)) {
      await visitor.signIn()
      t.equal((await visitor.goOn(url)).url.href, wikiOrigin + target)
    } else t.equal(url.href, wikiOrigin + target)
  }
  const unknown = await visitor.send('GET', 'https://unknown.example.com/.rollcall/sign-in', page)
  t.equal(unknown.status, 403)
  t.notOk(unknown.headers.has('location'))
})

test('the way back belongs to the browser that began, is good once and for ten minutes', async (t) => {
  const { server, openVisitor } = await startProtected(t)
  /** As far as the address of the way back. */
  const callbackOf = async (visitor: Visitor) => {
    const { url } = await visitor.open(`${wikiOrigin}/plans`)
    await visitor.signIn()
    let next = new URL(`/oidc/interactions/${url.searchParams.get('interaction') ?? ''}`, url)
    while (next.host !== wikiHost) next = new URL((await visitor.get(next.href)).headers.get('location') ?? '', next)
    return next.href
  }
  const expectOver = async (visitor: Visitor, address: string, sentence: string) => {
    const answer = await visitor.send('GET', address, page)
    t.equal(answer.status, 400, sentence)
    t.match(
      await answer.text(),
      /This sign-in is over.*<a href="https:\/\/wiki\.example\.com\/[^"]*">Go to Wiki/s,
      sentence,
    )
    t.notOk(answer.headers.getSetCookie().length > 0, sentence)
  }
  const owner = openVisitor()
  const stolen = await callbackOf(owner)
  await expectOver(openVisitor(), stolen, 'a browser without the cookie')
  const other = openVisitor()
  const own = await callbackOf(other)
  await expectOver(owner, stolen, 'used before, by whomever')
  const mixed = new URL(own)
  mixed.searchParams.set('state', new URL(stolen).searchParams.get('state') ?? '')
  await expectOver(owner, mixed.href, 'a code for another browser')
  const late = openVisitor()
  const address = await callbackOf(late)
  server.clock.advance(11 * 60)
  await expectOver(late, address, 'eleven minutes old')
  await expectOver(late, `${wikiOrigin}/.rollcall/callback`, 'nothing at all')
  await expectOver(late, `${wikiOrigin}/.rollcall/callback?state=x&code=y`, 'nonsense')
  const used = openVisitor()
  const good = await callbackOf(used)
  t.equal((await used.send('GET', good, page)).headers.get('location'), `${wikiOrigin}/plans`)
  t.equal((await used.send('GET', `${wikiOrigin}/`, picture)).status, 200)
  await expectOver(used, good, 'used twice')
  t.equal((await used.send('GET', `${wikiOrigin}/`, picture)).status, 200, 'and the first use goes on')
})

test('several tabs that were open come in together', async (t) => {
  const { openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  const tabs = []
  for (const path of ['/a', '/b', '/c']) tabs.push(await visitor.open(wikiOrigin + path))
  await visitor.signIn()
  // The cookie of an interaction is that of the last one.
  const [, , last] = tabs
  t.equal((await visitor.goOn(last?.url ?? new URL(wikiOrigin))).status, 200)
  const [first, second] = await Promise.all(['/a', '/b'].map((path) => visitor.open(wikiOrigin + path)))
  t.equal(first?.url.href, `${wikiOrigin}/a`)
  t.equal(second?.url.href, `${wikiOrigin}/b`)
})

test('a code for a protected host buys no tokens', async (t) => {
  const { issuer, openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  await visitor.signIn()
  const begun = await visitor.send('GET', `${wikiOrigin}/.rollcall/sign-in`, page)
  const back = (await visitor.get(begun.headers.get('location') ?? '')).headers.get('location') ?? ''
  const code = new URL(back).searchParams.get('code') ?? ''
  t.match(code, /./)
  for (const more of [{}, { client_secret: '' }, { client_secret: 'null' }] as Record<string, string>[]) {
    const answer = await fetch(`${issuer}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, client_id: 'wiki', ...more },
        redirect_uri: `${wikiOrigin}/.rollcall/callback`,
      }),
    })
    t.equal(answer.status, 401)
  }
  t.equal((await visitor.send('GET', back, page)).status, 303)
})

test('somebody signs out of one application, and has to prove who they are when they come back', async (t) => {
  const { server, issuer, openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  await visitor.enter()
  const question = await visitor.send('GET', `${wikiOrigin}/.rollcall/sign-out`, page)
  t.equal(question.status, 200)
  const text = await question.text()
  t.match(text, /Sign out of Wiki\?/)
  t.match(text, /action="https:\/\/wiki\.example\.com\/\.rollcall\/sign-out\?from=here"/)
  t.equal(await statusAt(visitor), 200, 'a link signs nobody out')
  const address = `${wikiOrigin}/.rollcall/sign-out`
  const foreign = await visitor.send('POST', `${address}?from=here`, { 'sec-fetch-site': 'cross-site' })
  t.equal(foreign.status, 403)
  t.equal(await statusAt(visitor), 200)
  const cookie = [...visitor.jarOf(wikiHost)].map(([key, value]) => `${key}=${value}`).join('; ')
  const left = await visitor.send('POST', `${address}?from=here`, { 'sec-fetch-site': 'same-origin' })
  t.match(await left.text(), /You are signed out of Wiki/)
  t.equal(await statusAt(visitor), 401)
  t.equal((await visitor.send('GET', `${wikiOrigin}/`, { ...picture, cookie })).status, 401, 'a copy of the cookie')
  t.equal((await visitor.post('/auth/refreshToken')).status, 200, 'still signed in at the service')
  server.clock.advance(1)
  const back = await visitor.open(`${wikiOrigin}/`)
  t.ok(back.url.href.startsWith(`${issuer}/sign-in`), 'a proof is asked')
  await visitor.signIn()
  t.equal((await visitor.goOn(back.url)).status, 200)
})

test('a sign-out everywhere ends the session', async (t) => {
  const { openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  await visitor.enter()
  const address = `${wikiOrigin}/.rollcall/sign-out`
  const left = await visitor.send('POST', `${address}?from=everywhere`, { 'sec-fetch-site': 'same-origin' })
  t.match(await left.text(), /You are signed out/)
  t.equal(await statusAt(visitor), 401)
  t.equal((await visitor.post('/auth/refreshToken')).status, 401)
})
