import { test } from 'tap'
import { enrol } from '../../../test/helpers/service/factors.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import {
  page,
  picture,
  send,
  startProtected,
  statusAt,
  wikiHost,
  wikiOrigin,
  type Said,
  type StartedProtected,
  type Visitor,
} from './start-protected.js'

const asked: Said = { method: 'GET', proto: 'https', host: wikiHost, uri: '/' }
const identityHeaders = ['remote-user', 'remote-name', 'remote-email', 'remote-groups', 'x-user-id', 'x-tenant-id']

test('somebody who opens a protected page signs in and is there, and the application is told who it is', async (t) => {
  const { issuer, alice, openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  const first = await visitor.send('GET', `${wikiOrigin}/plans?year=2027`, page)
  t.equal(first.status, 302)
  t.equal(first.headers.get('location'), `${wikiOrigin}/.rollcall/sign-in?return=%2Fplans%3Fyear%3D2027`)
  for (const name of identityHeaders) t.notOk(first.headers.has(name), name)
  const { url } = await visitor.open(`${wikiOrigin}/plans?year=2027`)
  t.equal(url.href.split('=')[0], `${issuer}/sign-in?interaction`)
  await visitor.signIn()
  const there = await visitor.goOn(url)
  t.equal(there.url.href, `${wikiOrigin}/plans?year=2027`)
  t.equal(there.status, 200)
  t.match(Object.fromEntries(there.response?.headers ?? []), {
    ...{ 'remote-user': 'alice', 'remote-name': 'alice', 'remote-email': '', 'remote-groups': '' },
    ...{ 'x-user-id': String(alice.id), 'x-tenant-id': '1', 'cache-control': 'no-store' },
  })
  t.match(await there.response?.json(), { code: 200, data: null })
  t.equal((await visitor.send('GET', `${wikiOrigin}/logo.png`, picture)).status, 200)
  t.equal((await visitor.send('POST', `${wikiOrigin}/save`)).status, 200)
  t.match([...visitor.jarOf(wikiHost).keys()], [/^__Host-rollcall_host_[\w-]{16}$/])
})

test('the cookie of a host is of that host and of https alone, and scripts do not read it', async (t) => {
  const { openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  const begun = await visitor.send('GET', `${wikiOrigin}/.rollcall/sign-in?return=%2F`, page)
  const [cookie = ''] = begun.headers.getSetCookie()
  t.match(cookie, /^__Host-rollcall_host_[\w-]{16}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  await visitor.enter()
  const key = cookie.split(/[=;]/)[1]
  t.not([...visitor.jarOf(wikiHost).values()][0], key, 'another one once somebody is signed in')
})

test('who is signed in already comes in without a question, to each host of the application', async (t) => {
  const { openVisitor } = await startProtected(t, { client: { hosts: [wikiHost, 'notes.example.com:8443'] } })
  const visitor = openVisitor()
  await visitor.signIn()
  t.equal((await visitor.open(`${wikiOrigin}/`)).status, 200)
  t.equal((await visitor.open('https://notes.example.com:8443/')).url.href, 'https://notes.example.com:8443/')
  t.equal((await visitor.send('GET', 'https://notes.example.com:8443/', picture)).status, 200)
})

const scripts: [sentence: string, method: string, headers: Record<string, string>][] = [
  ['a form', 'POST', { accept: 'text/html' }],
  ['a picture', 'GET', picture],
  ['fetch', 'GET', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: '*/*' }],
  ['an older script', 'GET', { 'x-requested-with': 'XMLHttpRequest', accept: 'text/html' }],
  ['a frame', 'GET', { ...page, 'sec-fetch-dest': 'iframe' }],
  ['a WebSocket', 'GET', { upgrade: 'websocket', accept: 'text/html' }],
  ['a program', 'GET', {}],
  ['a deletion', 'DELETE', page],
  ['a question what is allowed', 'OPTIONS', page],
]
for (const [sentence, method, headers] of scripts)
  test(`${sentence} without a session is refused and led nowhere, whatever the proxy asks by`, async (t) => {
    const { issuer, ask } = await startProtected(t)
    for (const query of ['', '?proxy=nginx']) {
      const answer = await ask({ ...asked, method }, headers, query)
      t.equal(answer.status, 401)
      t.match(await answer.json(), { code: 401, data: { reason: 'token_missing' } })
      t.notOk(answer.headers.has('location'))
    }
    const own = await fetch(`${issuer}/auth/forward`, { method: method === 'GET' ? 'POST' : method })
    t.equal(own.status, 403, 'by its own method, and without a word of a proxy')
  })

test('nginx, which takes no redirect, gets the way to the sign-in with 401', async (t) => {
  const { ask, server } = await startProtected(t)
  const answer = await ask(asked, page, '?proxy=nginx')
  t.equal(answer.status, 401)
  t.equal(answer.headers.get('location'), `${wikiOrigin}/.rollcall/sign-in?return=%2F`)
  t.equal((await ask(asked, page, '?proxy=apache')).status, 400)
  t.equal((await server.call('GET', '/auth/check')).status, 401, 'which is as it was')
})

const absent: [name: string, said: Partial<Said>][] = [
  ['x-forwarded-method', { proto: 'https', host: wikiHost, uri: '/' }],
  ['x-forwarded-proto', { method: 'GET', host: wikiHost, uri: '/' }],
  ['x-forwarded-host', { method: 'GET', proto: 'https', uri: '/' }],
  ['x-forwarded-uri', { method: 'GET', proto: 'https', host: wikiHost }],
  ['x-forwarded-host', { ...asked, host: `evil.example.net, ${wikiHost}` }],
  ['x-forwarded-proto', { ...asked, proto: 'https,http' }],
  ['x-forwarded-uri', { ...asked, uri: 'https://evil.example.net/' }],
]
for (const [name, said] of absent)
  test(`where a proxy does not say ${name} (${JSON.stringify(said)}) nobody passes, and it is told once an hour`, async (t) => {
    const { server, ask, openVisitor } = await startProtected(t)
    const visitor = openVisitor()
    await visitor.enter()
    const cookie = [...visitor.jarOf(wikiHost)].map(([key, value]) => `${key}=${value}`).join('; ')
    for (let times = 0; times < 3; times++) {
      const answer = await ask(said, { ...page, cookie })
      t.equal(answer.status, 403)
      t.notOk(answer.headers.has('location'))
      for (const header of identityHeaders) t.notOk(answer.headers.has(header))
    }
    const lines = () => server.log().split(`its header ${name} `).length - 1
    t.equal(lines(), 1)
    server.clock.advance(3601)
    await ask(said)
    t.equal(lines(), 2)
  })

test('what an address says that is no trusted proxy is ignored, and told', async (t) => {
  const { server, ask } = await startProtected(t, { environment: { TRUST_PROXY: '192.0.2.1' } })
  const answer = await ask(asked, page)
  t.equal(answer.status, 403)
  t.match(await answer.text(), /This application cannot be opened/)
  t.match(server.log(), 'is not in TRUST_PROXY')
})

const hosts: [sentence: string, said: Partial<Said>, passes: boolean][] = [
  ['in capitals', { host: 'WIKI.Example.com' }, true],
  ['with a dot at its end', { host: 'wiki.example.com.' }, true],
  ['with the port that https has anyway', { host: 'wiki.example.com:443' }, true],
  ['with another port', { host: 'wiki.example.com:8443' }, false],
  ['by plain http', { proto: 'http' }, false],
  ['of another application', { host: 'other.example.com' }, false],
  ['below it', { host: 'a.wiki.example.com' }, false],
  ['with a name in front', { host: 'evil@wiki.example.com' }, false],
  ['encoded', { host: '%77iki.example.com' }, false],
]
for (const [sentence, said, passes] of hosts)
  test(`a host ${sentence} is ${passes ? 'that host' : 'unknown, and nobody is led anywhere'}`, async (t) => {
    const { ask, openVisitor } = await startProtected(t)
    const visitor = openVisitor()
    await visitor.enter()
    const cookie = [...visitor.jarOf(wikiHost)].map(([key, value]) => `${key}=${value}`).join('; ')
    const answer = await ask({ ...asked, ...said }, { ...page, cookie })
    t.equal(answer.status, passes ? 200 : 403)
    t.notOk(answer.headers.has('location'))
    t.equal(answer.headers.get('remote-user'), passes ? 'alice' : null)
  })

test('a cookie of one host is nothing at another of the same application', async (t) => {
  const { openVisitor, ask } = await startProtected(t, { client: { hosts: [wikiHost, 'notes.example.com'] } })
  const visitor = openVisitor()
  await visitor.enter()
  const cookie = [...visitor.jarOf(wikiHost)].map(([key, value]) => `${key}=${value}`).join('; ')
  t.equal((await ask(asked, { ...page, cookie })).status, 200)
  t.equal((await ask({ ...asked, host: 'notes.example.com' }, { ...page, cookie })).status, 302)
})

test('a cookie of one host is nothing at another, and ends with the session where it was copied', async (t) => {
  const { server, alice, protect, openVisitor, ask } = await startProtected(t)
  await protect({ id: 'notes', name: 'Notes', hosts: ['notes.example.com'] })
  const visitor = openVisitor()
  await visitor.enter()
  const cookie = [...visitor.jarOf(wikiHost)].map(([key, value]) => `${key}=${value}`).join('; ')
  t.equal((await ask({ ...asked, host: 'notes.example.com' }, { ...page, cookie })).status, 302)
  t.equal((await ask({ ...asked, host: 'notes.example.com' }, { ...picture, cookie })).status, 401)
  t.equal((await ask(asked, { ...picture, cookie })).status, 200, 'in another browser, as any stolen cookie')
  t.equal((await ask(asked, { ...picture, cookie: `${cookie}; ${cookie}` })).status, 401, 'a name that comes twice')
  await server.app.db.sessions.endOfUser(alice.id, 'revoked', server.clock.now())
  t.equal((await ask(asked, { ...picture, cookie })).status, 401)
})

interface Ending extends StartedProtected {
  visitor: Visitor
}
const ends: [sentence: string, end: (world: Ending) => Promise<unknown>][] = [
  ['a sign-out', ({ visitor }) => visitor.post('/auth/logout')],
  [
    'a kick',
    async ({ server, alice }) => {
      const [session] = await server.app.db.sessions.live(alice.id, server.clock.now())
      const { accessToken: token } = await server.signIn()
      expectSuccessOf(await server.call('DELETE', `/system/session/${session?.id ?? ''}`, { token }))
    },
  ],
  ['a disabled account', ({ server }) => server.operator.setEnabled('alice', false)],
  ['a ban', ({ server, alice }) => server.operator.ban(alice.id)],
  ['a deleted account', ({ server, alice }) => server.operator.remove(alice.id)],
  [
    'a session that is over',
    async ({ server }) => {
      server.clock.advance(8 * 3600 + 1)
    },
  ],
  [
    'what an application knows, ended by the person',
    async ({ server }) => {
      const { accessToken: token } = await server.signIn('alice')
      expectSuccessOf(await server.call('DELETE', '/auth/grants/wiki', { token }))
    },
  ],
  ['a deleted application', ({ server }) => server.app.db.providerClients.remove('wiki')],
]
const expectSuccessOf = ({ status, text }: { status: number; text: string }): void => {
  if (status !== 200) throw new Error(text)
}
for (const [sentence, end] of ends)
  test(`${sentence} is seen with the next request`, async (t) => {
    const started = await startProtected(t)
    const visitor = started.openVisitor()
    await visitor.enter()
    t.equal(await statusAt(visitor), 200)
    await end({ ...started, visitor })
    t.not(await statusAt(visitor), 200)
    t.not((await visitor.send('GET', `${wikiOrigin}/`, page)).status, 200)
  })

test('whoever may not use the application reads who they are, which role is missing and how to be somebody else', async (t) => {
  const { server, alice, openVisitor } = await startProtected(t, {
    client: { access: { tenants: [], roles: ['staff', 'board'] } },
  })
  await server.operator.addRole('staff', 'Staff', [])
  const visitor = openVisitor()
  await visitor.signIn()
  const denied = await visitor.open(`${wikiOrigin}/plans`)
  t.equal(denied.status, 403)
  t.match(await denied.response?.text(), /You may not use Wiki/)
  await server.operator.assign('staff', 'alice')
  t.equal((await visitor.open(`${wikiOrigin}/plans`)).status, 200)
  await server.operator.setRoles(alice.id, [])
  const gone = await visitor.send('GET', `${wikiOrigin}/plans`, page)
  t.equal(gone.status, 403, 'a role that was taken')
  const text = await gone.text()
  t.match(text, /<h1>You may not use Wiki<\/h1>/)
  t.match(text, /It needs one of these roles: staff, board\./)
  t.match(text, /You are signed in as alice\./)
  server.clock.advance(1)
  const other = /<a href="([^"]+)">Sign in as somebody else/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? ''
  const signIn = await visitor.open(other)
  t.equal(signIn.url.pathname, '/sign-in')
  t.ok(signIn.url.searchParams.has('other'))
  await server.addUser('carol', {})
  await server.operator.assign('staff', 'carol')
  await visitor.signIn('carol')
  const there = await visitor.goOn(signIn.url)
  t.equal(there.url.href, `${wikiOrigin}/plans`)
  t.equal(there.response?.headers.get('remote-user'), 'carol')
  const zh = await visitor.send('GET', `${wikiOrigin}/plans`, { ...page, 'accept-language': 'zh-CN' })
  t.equal(zh.status, 200)
  const script = openVisitor()
  await script.signIn()
  t.match(await (await script.open(`${wikiOrigin}/`)).response?.text(), /You may not use Wiki/)
})

test('people of another tenant are not let in, and names of several tenants are told apart', async (t) => {
  const { server, protect, openVisitor } = await startProtected(t)
  const tenant = await server.operator.addTenant('Other')
  await server.addUser('carol', { tenantId: tenant.id })
  await protect({
    id: 'both',
    name: 'Both',
    hosts: ['both.example.com'],
    access: { tenants: [1, tenant.id], roles: [] },
  })
  const visitor = openVisitor()
  await visitor.signIn('carol', undefined, { tenantId: tenant.id })
  const denied = await visitor.open(`${wikiOrigin}/`)
  t.equal(denied.status, 403)
  t.match(await denied.response?.text(), /not open to people of your organization/)
  const both = await visitor.open('https://both.example.com/')
  t.equal(both.response?.headers.get('remote-user'), `carol@tenant-${tenant.id}`)
  t.equal(both.response?.headers.get('x-tenant-id'), String(tenant.id))
})

test('a second factor is asked where the application wants one, and a recent proof', async (t) => {
  const { server, protect, openVisitor } = await startProtected(t, { client: { minAcr: 'aal2' } })
  await protect({ id: 'vault', name: 'Vault', hosts: ['vault.example.com'], maxAge: 600 })
  const visitor = openVisitor()
  const { accessToken: token } = await visitor.signIn()
  const { url } = await visitor.open(`${wikiOrigin}/`)
  t.equal(url.pathname, '/sign-in')
  await enrol(t, server, String(token))
  const strong = await visitor.open(`${wikiOrigin}/`)
  t.equal(strong.status, 200)
  t.equal((await visitor.open('https://vault.example.com/')).status, 200)
  server.clock.advance(601)
  const old = await visitor.send('GET', 'https://vault.example.com/', picture)
  t.match(await old.json(), { code: 403, data: { reason: 'fresh_sign_in_required' } })
  const again = await visitor.open('https://vault.example.com/')
  t.equal(again.url.pathname, '/sign-in', 'the proof is too old')
  t.equal(again.url.searchParams.has('other'), false)
})

test('scripts come in by an API token or an access token, and only where their owner may', async (t) => {
  const { server, ask, protect } = await startProtected(t, { client: { access: { tenants: [], roles: ['staff'] } } })
  await protect({ id: 'strict', name: 'Strict', hosts: ['strict.example.com'], minAcr: 'aal2' })
  await server.operator.addRole('staff', 'Staff', [])
  const { accessToken: token } = await server.signIn('alice')
  const by = (given: string, said = {}) => ask({ ...asked, ...said }, { authorization: `Bearer ${given}` })
  t.match(await (await by(token)).json(), { code: 403, data: { reason: 'access_denied' } })
  await server.operator.assign('staff', 'alice')
  t.equal((await by(token)).headers.get('remote-user'), 'alice')
  t.match(await (await by(token, { host: 'strict.example.com' })).json(), {
    code: 403,
    data: { reason: 'step_up_required' },
  })
  const made = expectSuccess(t, await server.call('POST', '/auth/tokens', { token, json: { name: 'backup' } }))
  t.equal((await by(made.token as string)).headers.get('remote-user'), 'alice')
  t.match(await (await by(made.token as string, { host: 'strict.example.com' })).json(), {
    data: { reason: 'token_not_allowed' },
  })
  t.match(await (await by(String(made.token).replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')))).json(), {
    code: 401,
  })
  t.match(await (await by('glsa_of_the_application_itself')).json(), { code: 401, data: { reason: 'token_invalid' } })
  await server.call('POST', '/auth/logout', { token })
  t.match(await (await by(token)).json(), { code: 401, data: { reason: 'session_revoked' } })
})

const names: [given: string, name: string][] = [
  ['张伟', '张伟'],
  ['Zoë Müller', 'Zoë Müller'],
  ['长'.repeat(50), '长'.repeat(50)],
]
for (const [given, name] of names)
  test(`the real name ${given.slice(0, 10)} is there in UTF-8`, async (t) => {
    const { server, alice, openVisitor } = await startProtected(t)
    await server.app.db.users.change(alice.id, { realName: given }, server.clock.now())
    const visitor = openVisitor()
    const { response } = await visitor.enter()
    t.equal(Buffer.from(response?.headers.get('remote-name') ?? '', 'latin1').toString(), name)
  })

test('ends of lines in a name are cut out, e-mail addresses are told once they are verified', async (t) => {
  const { server, openVisitor } = await startProtected(t)
  const dora = await server.addUser('dora', { email: 'dora@example.com' })
  await server.app.db.users.change(dora.id, { realName: 'Do\r\nX-Admin: 1\u2028ra' }, server.clock.now())
  const visitor = openVisitor()
  const { response } = await visitor.enter(undefined, 'dora')
  t.equal(response?.headers.get('remote-name'), 'DoX-Admin: 1ra')
  t.equal(response?.headers.get('remote-email'), '')
  await server.app.db.verifiedContacts.add(dora.id, { kind: 'email', text: 'dora@example.com' }, 1)
  t.equal((await visitor.send('GET', `${wikiOrigin}/`, picture)).headers.get('remote-email'), 'dora@example.com')
})

test('the key of a role with a comma does not make two groups', async (t) => {
  const { server, alice, openVisitor } = await startProtected(t)
  for (const key of ['staff', 'x,admin', 'two words']) await server.operator.addRole(key, key, [])
  await server.operator.setRoles(alice.id, ['staff', 'x,admin', 'two words'])
  const { response } = await openVisitor().enter()
  t.strictSame(response?.headers.get('remote-groups')?.split(',').sort(), ['staff', 'two words'])
})

test('more roles than a header takes end at a whole key, and it is told', async (t) => {
  const { server, alice, openVisitor } = await startProtected(t)
  const keys = Array.from({ length: 99 }, (_, index) => `role-${String(index).padStart(2, '0')}-${'x'.repeat(40)}`)
  for (const key of keys) await server.operator.addRole(key, key, [])
  await server.operator.setRoles(alice.id, keys)
  const visitor = openVisitor()
  const { response } = await visitor.enter()
  const groups = response?.headers.get('remote-groups')?.split(',') ?? []
  t.equal(response?.status, 200)
  t.ok(groups.length > 60 && groups.length < 99)
  for (const group of groups) t.ok(keys.includes(group), group)
  t.equal(server.log().split('more roles than Remote-Groups takes').length - 1, 1)
})

test('on the host of the service itself the page session is enough', async (t) => {
  const { server, issuer, protect, openVisitor, ask } = await startProtected(t)
  const host = new URL(issuer).host
  await protect({ id: 'own', name: 'Own', hosts: [issuer], pathRoles: [{ path: '/admin', roles: ['boss'] }] })
  const visitor = openVisitor()
  const said = { ...asked, proto: 'http', host }
  const cookieOf = () => [...visitor.jar].map(([key, value]) => `${key}=${value}`).join('; ')
  const first = await ask({ ...said, uri: '/wiki/' }, page)
  t.equal(first.headers.get('location'), `${issuer}/.rollcall/sign-in?return=%2Fwiki%2F`)
  await visitor.signIn()
  const cookie = cookieOf()
  t.equal((await ask({ ...said, uri: '/wiki/' }, { ...page, cookie })).headers.get('remote-user'), 'alice')
  t.equal((await ask({ ...said, uri: '/wiki/' }, page)).status, 302)
  t.equal((await ask({ ...said, uri: '/admin/' }, { ...page, cookie })).status, 403)
  t.equal((await ask({ ...asked }, { ...picture, cookie })).status, 401, 'the page cookie is nothing at another host')
  // By an interaction, as any other.
  const fresh = openVisitor()
  const begun = await fresh.get(first.headers.get('location') ?? '')
  const { url } = await fresh.follow(begun.headers.get('location') ?? '')
  t.equal(url.pathname, '/sign-in')
  const left = await server.call('POST', '/.rollcall/sign-out?from=here', {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  })
  t.match(left.text, /You are signed out</)
  t.equal((await ask({ ...said, uri: '/wiki/' }, { ...picture, cookie })).status, 401)
})

test('asking changes nothing in the database', async (t) => {
  const { server, alice, openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  await visitor.enter()
  const live = async () => JSON.stringify(await server.app.db.sessions.live(alice.id, server.clock.now()))
  const before = await live()
  server.clock.advance(1800)
  for (let times = 0; times < 5; times++) t.equal(await statusAt(visitor), 200)
  t.equal(await live(), before)
})

test('of a person the latest five hundred browsers are known, and the oldest signs in again', async (t) => {
  const { server, alice, openVisitor } = await startProtected(t)
  const { db, clock } = server.app
  const oldest = openVisitor()
  await oldest.enter()
  const [session] = await db.sessions.live(alice.id, clock.now())
  const visit = { userId: alice.id, clientId: 'wiki', sessionId: session?.id ?? '', grantId: 'of another browser' }
  server.clock.advance(1)
  const times = { createTime: clock.now(), expiry: clock.now() + 3600_000 }
  await db.transaction(async ({ providerVisits }) => {
    for (let index = 0; index < 499; index++) await providerVisits.add({ ...visit, ...times, idHash: `other ${index}` })
  })
  t.equal(await statusAt(oldest), 200, 'five hundred')
  server.clock.advance(1)
  const latest = openVisitor()
  await latest.enter()
  t.equal(await statusAt(latest), 200)
  t.equal(await statusAt(oldest), 401)
})

test('hosts that no application has fill no log', async (t) => {
  const { server, ask } = await startProtected(t)
  for (let index = 0; index < 130; index++) await ask({ ...asked, host: `h${index}.example.com` })
  t.equal(server.log().split('no application has this host').length - 1, 100)
})

test('what the application itself refuses is said to be so, and nobody is led in a circle', async (t) => {
  const { issuer, openVisitor } = await startProtected(t)
  const visitor = openVisitor()
  await visitor.enter()
  const cookie = [...visitor.jarOf(wikiHost)].map(([key, value]) => `${key}=${value}`).join('; ')
  const said = { 'x-forwarded-proto': 'https', 'x-forwarded-host': wikiHost }
  const refused = await send(`${issuer}/.rollcall/refused`, {
    headers: { ...page, ...said, cookie, 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/empty/' },
  })
  t.equal(refused.status, 403)
  t.match(await refused.text(), /You may use Wiki\. It is the application itself/)
  t.notOk(refused.headers.has('location'))
})
