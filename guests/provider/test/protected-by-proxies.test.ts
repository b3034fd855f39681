import { test, type Test } from 'tap'
import { fillSignIn, openPage } from '../../../test/helpers/browser/pages.js'
import { skip as skipBrowser } from '../../../test/helpers/browser/browser.js'
import { codeBlocksOf, readDocument } from '../../../test/helpers/documents/documents.js'
import { createCli } from '../../../test/helpers/processes/cli.js'
import { changeSettings } from '../../../test/helpers/processes/doctor.js'
import { userPassword } from '../../../test/helpers/service/passwords.js'
import type { NewClient } from '../clients/clients.js'
import { documentedProxies, operatorActor, page, protectedClient, startProxied } from './start-proxied.js'
import { startProvider } from './start-provider.js'

/** A service behind the proxy of the document, with a wiki and notes. */
const start = async (t: Test, name: string) => {
  let started: Awaited<ReturnType<typeof startProvider>> | undefined
  const proxied = await startProxied(t, name, async (issuer) => {
    started = await startProvider(t, { settings: { issuer }, environment: { TRUST_PROXY: '127.0.0.1' } })
    return { service: new URL(started.server.origin).host }
  })
  if (!started) throw new Error('the service has not been started')
  const { server, alice } = started
  const protect = (more: Partial<NewClient>) => server.app.applications.add(operatorActor(), protectedClient(more))
  const host = new URL(proxied.wiki).host
  return { ...proxied, server, alice, host, protect }
}

const forged = {
  ...{ 'Remote-User': 'root', 'remote-name': 'Root', 'REMOTE-EMAIL': 'root@example.com', 'Remote-Groups': 'admin' },
  ...{ 'X-User-Id': '1', 'X-Tenant-Id': '7', Remote_User: 'root', Remote_Email: 'root@example.com' },
  ...{ 'X_User-Id': '1', 'X-User_Id': '1', X_User_Id: '1', 'X-Tenant_Id': '7', 'Remote_User-Name': 'root' },
}
/** What a program makes of names of headers, by which they cannot be told apart. */
const asPrograms = (headers: Record<string, string>): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name.toLowerCase().replaceAll('_', '-'), value])

for (const { name, skip } of documentedProxies) {
  test(`behind ${name} an application learns who comes, and no client can say it`, { skip }, async (t) => {
    const { server, alice, wiki, notes, host, protect, openVisitor } = await start(t, name)
    await protect({ hosts: [host], openPaths: ['/public'], pathRoles: [{ path: '/admin', roles: ['boss'] }] })
    await server.app.db.users.change(alice.id, { realName: '张伟' }, server.clock.now())
    const visitor = openVisitor()
    const expectNothing = (text: string, sentence: string) => {
      const { headers } = JSON.parse(text) as { headers: Record<string, string> }
      for (const [header, value] of asPrograms(headers))
        if (/^(remote|x-(user|tenant)-id)/.test(header)) t.equal(value, '', `${sentence}: ${header}`)
    }
    const open = await visitor.send(`${wiki}/public/help`, { headers: forged })
    t.equal(open.status, 200, open.text)
    expectNothing(open.text, 'on an open path')
    const closed = await visitor.send(`${wiki}/plans`, { headers: forged })
    t.equal(closed.status, 401)

    t.equal((await visitor.enter(`${wiki}/plans`)).status, 200)
    const seen = await visitor.send(`${wiki}/plans?a=1`, {
      method: 'POST',
      body: 'text=hello',
      headers: {
        ...{ ...forged, cookie: 'theme=dark', authorization: 'Basic cm9vdDpyb290' },
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    t.equal(seen.status, 200, seen.text)
    const { url, method, body, headers } = JSON.parse(seen.text) as {
      url: string
      method: string
      body: string
      headers: Record<string, string>
    }
    t.strictSame({ url, method, body }, { url: '/plans?a=1', method: 'POST', body: 'text=hello' })
    const expected: Record<string, string> = {
      ...{ 'remote-user': 'alice', 'remote-name': '张伟', 'remote-email': '', 'remote-groups': '' },
      ...{ 'x-user-id': String(alice.id), 'x-tenant-id': '1' },
    }
    for (const [header, value] of asPrograms(headers))
      if (/^(remote|x-(user|tenant)-id)/.test(header))
        t.equal(Buffer.from(value, 'latin1').toString(), expected[header], header)
    t.match(headers['cookie'] ?? '', /^(; )?theme=dark$/, 'the cookie of Rollcall ends at the proxy')
    t.notOk(headers['authorization'], 'and so does what is in Authorization')

    const socket = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'x',
      'sec-websocket-version': '13',
    }
    const upgraded = await visitor.send(`${wiki}/socket`, { headers: { ...socket, ...forged } })
    t.equal(upgraded.status, 101)
    t.equal(upgraded.text, 'hello alice')

    for (const path of [
      '/admin',
      '/ADMIN/x',
      '/public/../admin',
      '/public/%2e%2e/admin',
      '//admin',
      '/x;/../admin/',
      '/%61dmin',
    ])
      t.equal((await visitor.send(wiki + path)).status, 403, path)
    const stranger = openVisitor()
    for (const path of ['/public', '/public/a/b?c=/../..'])
      t.equal((await stranger.send(wiki + path)).status, 200, path)
    for (const path of [
      '/',
      '/publicity',
      '/public/../plans',
      '/public/..%2fplans',
      '/public/%2e%2e/plans',
      '//public/../plans',
      '/public;/../plans',
      '/Public',
    ])
      t.equal((await stranger.send(wiki + path)).status, 401, path)

    const scripts: [sentence: string, method: string, headers: Record<string, string>][] = [
      ['a form', 'POST', page],
      ['fetch', 'GET', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
      ['a WebSocket', 'GET', socket],
      ['a deletion', 'DELETE', {}],
    ]
    for (const [sentence, by, more] of scripts) {
      const answer = await stranger.send(`${wiki}/plans`, {
        method: by,
        headers: more,
        ...(by === 'POST' && { body: 'a=1' }),
      })
      t.equal(answer.status, 401, sentence)
      t.notOk(answer.location, sentence)
      t.match(JSON.parse(answer.text), { code: 401, data: { reason: 'token_missing' } }, sentence)
    }
    const led = await stranger.send(`${wiki}/plans`, {
      headers: {
        ...page,
        'x-forwarded-host': 'evil.example.net',
        'x-forwarded-uri': '/evil',
        'x-forwarded-proto': 'http',
        'x-forwarded-method': 'POST',
      },
    })
    t.equal(led.status, 302)
    t.equal(led.location, `${wiki}/.rollcall/sign-in?return=%2Fplans`)

    // What the client says of the host decides nothing where it names two.
    await protect({ id: 'notes', name: 'Notes', hosts: [new URL(notes).host], openPaths: ['/'] })
    t.equal((await stranger.send(`${notes}/`)).status, 200)
    const twice = await stranger.send(wiki, { target: `${wiki}/plans`, headers: { host: new URL(notes).host } })
    t.not(twice.status, 200, 'an address and another host')
    if (name === 'nginx') t.equal((await stranger.send(`${wiki}/further/a`)).status, 401, 'a location of its own')
    const h2c = await visitor.send(`${wiki}/plans`, {
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA' },
    })
    t.equal(h2c.status, 200, 'no connection becomes another protocol than that of a WebSocket')

    const { accessToken: token } = await server.signIn('alice')
    const script = await stranger.send(`${wiki}/api`, { headers: { authorization: `Bearer ${token}` } })
    t.equal(script.status, 200)
    t.notMatch(script.text, token, 'the application does not get the token')

    const keys = Array.from({ length: 99 }, (_, index) => `role-${String(index).padStart(2, '0')}-${'x'.repeat(40)}`)
    for (const key of keys) await server.operator.addRole(key, key, [])
    await server.operator.setRoles(alice.id, keys)
    t.equal((await visitor.send(`${wiki}/plans`)).status, 200, 'with as many roles as fit')
    await server.app.close()
    t.ok((await visitor.send(`${wiki}/plans`)).status >= 500, 'and nobody passes while the service is down')
  })

  test(
    `behind ${name} people come in, prove a second factor, are refused, kicked and go, in a browser`,
    { skip: skip || skipBrowser },
    async (t) => {
      const { server, alice, issuer, wiki, notes, protect, host } = await start(t, name)
      const tenant = await server.operator.addTenant('Other')
      const bob = await server.addUser('bob', { tenantId: tenant.id })
      await protect({ hosts: [host], pathRoles: [{ path: '/admin', roles: ['boss'] }] })
      await protect({ id: 'notes', name: 'Notes', hosts: [new URL(notes).host], tenantId: tenant.id })
      await server.operator.addRole('boss', 'Boss', [])
      const flags = ['--host-resolver-rules=MAP *.example.com 127.0.0.1', '--ignore-certificate-errors']
      const openTab = async (label: string) =>
        openPage(t, server, '/sign-in', { name: `${name}-${label}`, host: issuer, flags })
      const first = await openTab('alice')
      await first.page.goto(`${wiki}/plans?a=1#here`)
      await first.page.getByText('To go on to Wiki.').waitFor()
      await fillSignIn(first.page, 'alice', userPassword)
      await first.page.getByRole('heading', { name: 'wiki of alice' }).waitFor()
      t.match(first.page.url(), `${wiki}/plans?a=1`)

      const second = await openTab('bob')
      await second.page.goto(notes)
      await second.page.getByText('To go on to Notes.').waitFor()
      await fillSignIn(second.page, 'bob', userPassword)
      await second.page.getByRole('heading', { name: 'wiki of bob' }).waitFor()
      await second.page.goto(wiki)
      await second.page.getByRole('heading', { name: 'You may not use Wiki' }).waitFor()

      await first.page.goto(`${wiki}/admin`)
      await first.page.getByRole('heading', { name: 'You may not open this page of Wiki' }).waitFor()
      await first.page.getByText('It needs the role boss.').waitFor()
      await server.operator.assign('boss', 'alice')
      await first.page.reload()
      await first.page.getByRole('heading', { name: 'wiki of alice' }).waitFor()
      await server.operator.setRoles(alice.id, [])
      await first.page.reload()
      await first.page.getByRole('heading', { name: 'You may not open this page of Wiki' }).waitFor()
      server.clock.advance(5)
      await first.page.getByText('Sign in as somebody else').click()
      await first.page.getByText('To go on to Wiki.').waitFor()
      await fillSignIn(first.page, 'alice', userPassword)
      await first.page.getByRole('heading', { name: 'You may not open this page of Wiki' }).waitFor()

      await server.app.applications.change(operatorActor(), 'wiki', { minAcr: 'aal2' })
      await first.page.goto(`${wiki}/plans`)
      await first.page.getByRole('heading', { name: 'A second factor is needed' }).waitFor()
      await server.app.applications.change(operatorActor(), 'wiki', { minAcr: 'aal1', maxAge: 60 })
      server.clock.advance(61)
      await first.page.goto(`${wiki}/plans`)
      await first.page.locator('[name=password]').fill(userPassword)
      await first.page.locator('form .primary').click()
      await first.page.getByRole('heading', { name: 'wiki of alice' }).waitFor()

      const live = await server.app.db.sessions.live(alice.id, server.clock.now())
      await server.app.db.sessions.end(
        live.map(({ id }) => id),
        'revoked',
        server.clock.now(),
      )
      const kicked = await first.page.evaluate(async () => (await fetch('/plans')).status)
      t.equal(kicked, 401, 'kicked within one request')
      await first.page.reload()
      await first.page.getByText('To go on to Wiki.').waitFor()

      await second.page.goto(`${notes}/.rollcall/sign-out`)
      await second.page.getByRole('button', { name: 'Sign out of Notes only' }).click()
      await second.page.getByRole('heading', { name: 'You are signed out of Notes' }).waitFor()
      server.clock.advance(5)
      await second.page.getByText('Sign in again').click()
      await second.page.locator('[name=password]').fill(userPassword)
      await second.page.locator('form .primary').click()
      await second.page.getByRole('heading', { name: 'wiki of bob' }).waitFor()
      await second.page.goto(`${notes}/.rollcall/sign-out`)
      await second.page.getByRole('button', { name: 'Sign out everywhere in this browser' }).click()
      await second.page.getByRole('heading', { name: 'You are signed out' }).waitFor()
      t.equal((await server.app.db.sessions.live(bob.id, server.clock.now())).length, 0)
      await second.page.goto(notes)
      await second.page.getByText('To go on to Notes.').waitFor()
      for (const { complaints } of [first, second]) complaints.splice(0)
    },
  )
}

test('the settings and the command of the document are taken', async (t) => {
  const blocks = codeBlocksOf(readDocument('docs/protect-any-application.md'))
  const code = (language: string) => blocks.find((block) => block.language === language)?.code ?? ''
  const cli = await createCli(t)
  changeSettings(cli, JSON.parse(code('json')) as object)
  const added = await cli.done(code('sh').trim().replace('npx rollcall ', ''))
  t.match(added, /The proxy in front of it has to ask Rollcall about each request for\n {2}wiki\.example\.com\n/)
  t.notMatch(added, 'Nobody passes')
})
