import { test, type Test } from 'tap'
import { createCli, expectRefusal } from '../../../test/helpers/processes/cli.js'
import { changeSettings, examine } from '../../../test/helpers/processes/doctor.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { readHost } from '../forward/hosts.js'
import { isPlainPath, requirementOf } from '../forward/paths.js'

const wiki = { id: 'wiki', name: 'Wiki', type: 'forward', hosts: ['wiki.example.com'] }

const start = async (t: Test) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const post = (json: object, by = token) => server.call('POST', '/system/client', { token: by, json })
  const patch = (json: object, by = token) => server.call('PATCH', '/system/client/wiki', { token: by, json })
  return { server, token, post, patch }
}

test('an application that knows nothing of sign-in is added, shown and changed', async (t) => {
  const { server, token, post, patch } = await start(t)
  const added = expectSuccess(
    t,
    await post({ ...wiki, hosts: ['WIKI.example.com.', 'https://notes.example.com:443/'] }),
  )
  t.match(added, {
    ...{ type: 'forward', hosts: ['wiki.example.com', 'notes.example.com'], hasSecret: false, consent: 'never' },
    ...{ redirectUris: [], openPaths: [], pathRoles: [], maxAge: null, minAcr: 'aal1' },
  })
  t.notOk('secret' in added)
  const change = {
    ...{ hosts: ['wiki.example.com'], openPaths: ['/public'], maxAge: 600 },
    pathRoles: [{ path: '/admin', roles: ['boss'] }],
  }
  t.match(expectSuccess(t, await patch(change)), change)
  t.match(expectSuccess(t, await server.call('GET', '/system/client/wiki', { token })), change)
  t.match(expectSuccess(t, await post({ ...wiki, id: 'notes', hosts: ['notes.example.com'] })), { id: 'notes' })
  expectSuccess(t, await server.call('DELETE', '/system/client/wiki', { token }))
  expectSuccess(t, await post({ ...wiki, id: 'again' }))
})

const wrong: [field: string, body: object, message: RegExp][] = [
  ['hosts', { hosts: [] }, /at least one host/],
  ['hosts.0', { hosts: ['http://wiki.lan'] }, /by https/],
  ['hosts.0', { hosts: ['wiki.example.com/path'] }, /by https/],
  ['hosts.0', { hosts: ['*.example.com'] }, /by https/],
  ['hosts.0', { hosts: ['alice@wiki.example.com'] }, /by https/],
  ['hosts.0', { hosts: ['taken.example.com'] }, /another application/],
  ['openPaths.0', { openPaths: ['public'] }, /such as \/public/],
  ['openPaths.0', { openPaths: ['/a/../b'] }, /such as \/public/],
  ['openPaths.0', { openPaths: ['/a%2fb'] }, /such as \/public/],
  ['openPaths.0', { openPaths: ['/a?b'] }, /such as \/public/],
  ['pathRoles.0.path', { pathRoles: [{ path: '//admin', roles: ['boss'] }] }, /such as \/public/],
  ['pathRoles.0.roles', { pathRoles: [{ path: '/admin', roles: [] }] }, /./],
  ['maxAge', { maxAge: 5 }, /./],
  ['redirectUris', { redirectUris: ['https://wiki.example.com/back'] }, /not for applications of the type forward/],
  ['refreshTokens', { refreshTokens: 'session' }, /not for applications of the type forward/],
  ['scopes', { scopes: ['openid'] }, /not for applications of the type forward/],
]
test('what an application that knows nothing of sign-in cannot have is named', async (t) => {
  const { post } = await start(t)
  expectSuccess(t, await post({ ...wiki, id: 'taken', hosts: ['taken.example.com'] }))
  for (const [field, body, message] of wrong) {
    const answer = await post({ ...wiki, ...body })
    t.equal(answer.status, 400, JSON.stringify(body))
    t.match(answer.body.data.violations, [{ field, message }], JSON.stringify(body))
  }
  const others = await post({
    id: 'grafana',
    name: 'Grafana',
    redirectUris: ['https://g.example.com/'],
    hosts: ['g.example.com'],
  })
  t.match(others.body.data.violations, [{ field: 'hosts', message: /not for applications of the type confidential/ }])
  expectSuccess(
    t,
    await post({ ...wiki, hosts: ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'] }),
  )
})

test('hosts are named by system administrators; the rest is for those of the tenant', async (t) => {
  const { server, post, patch } = await start(t)
  await server.operator.addRole('clients', 'Clients', ['system:client:*'])
  await server.addUser('tom', { userType: 1 })
  await server.operator.assign('clients', 'tom')
  const { accessToken: tom } = await server.signIn('tom')
  t.equal((await post(wiki, tom)).status, 403)
  expectSuccess(t, await post(wiki))
  t.match(expectSuccess(t, await patch({ openPaths: ['/public'] }, tom)), { openPaths: ['/public'] })
  t.equal((await patch({ hosts: ['other.example.com'] }, tom)).status, 403)
  t.match(expectSuccess(t, await patch({ name: 'The wiki', hosts: ['wiki.example.com'] }, tom)), { name: 'The wiki' })
})

test('the command adds it, repeats it and says what is missing', async (t) => {
  const cli = await createCli(t)
  const line = 'client add --type forward --id wiki --name Wiki --host Wiki.example.com'
  const more = `${line} --open-path /public --path-roles /admin=boss,ops --max-age 900 --min-acr aal2`
  const added = await cli.done(more)
  t.match(
    added,
    /Added the application Wiki\. The proxy in front of it has to ask Rollcall about each request for\n {2}wiki\.example\.com\n/,
  )
  t.match(added, /Nobody passes until the setting provider\.enabled is true\.\nNobody passes until TRUST_PROXY names/)
  t.match(await cli.done(more), /is there already, as asked/)
  const shown = await cli.done('client show wiki')
  t.match(shown, /host +wiki\.example\.com\n/)
  t.match(shown, /open to everybody +\/public\n/)
  t.match(shown, /\/admin needs +boss, ops\n/)
  t.match(shown, /proved within +900 seconds\n/)
  t.notMatch(shown, /PKCE|refresh tokens/)
  t.match(await cli.json('client edit wiki --max-age none'), { maxAge: null, hosts: ['wiki.example.com'] })
  expectRefusal(t, await cli.run('client edit wiki --max-age soon'), 1, /number of seconds, or none/)
  expectRefusal(t, await cli.run('client edit wiki --host http://wiki.lan'), 1, /by https/)
  expectRefusal(t, await cli.run('client edit wiki --path-roles /admin'), 2, /path and roles/)
  expectRefusal(t, await cli.run('client add --name Wiki --host wiki.example.com'), 1, /--type forward/)
  expectRefusal(t, await cli.run('client add --name Wiki --type forward'), 1, /at least one host/)
  expectRefusal(t, await cli.run('client secret wiki'), 1, /no secret/)
  changeSettings(cli, { issuer: 'http://127.0.0.1:9', provider: { enabled: true } })
  t.match(JSON.stringify(await examine(t, cli)), /no proxy is trusted, so nobody passes to protected hosts/)
})

const hosts: [given: string, key: string | undefined][] = [
  ['wiki.example.com', 'wiki.example.com'],
  ['Wiki.Example.com.', 'wiki.example.com'],
  ['https://wiki.example.com/', 'wiki.example.com'],
  ['wiki.example.com:443', 'wiki.example.com'],
  ['wiki.example.com:80', 'wiki.example.com:80'],
  ['wiki.example.com:8443', 'wiki.example.com:8443'],
  ['维基.example.com', 'xn--3jsx02g.example.com'],
  ['[2001:DB8::1]:8443', '[2001:db8::1]:8443'],
  ['http://localhost:80', 'http://localhost'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://10.0.0.1', undefined],
  ['ftp://wiki.example.com', undefined],
  ['a b', undefined],
  ['', undefined],
  ['https://', undefined],
]
test('hosts are kept in one spelling', (t) => {
  for (const [given, key] of hosts) t.equal(readHost(given), key, given)
  t.end()
})

const rules = {
  openPaths: ['/public', '/admin/health', '/files/'],
  pathRoles: [
    { path: '/admin', roles: ['boss'] },
    { path: '/admin/logs/', roles: ['ops', 'boss'] },
  ],
}
const paths: [uri: string, needs: 'nothing' | 'session' | string[][]][] = [
  ['/', 'session'],
  ['/public', 'nothing'],
  ['/public/', 'nothing'],
  ['/public/a%20b?x=../..', 'nothing'],
  ['/public/张', 'nothing'],
  ['/publicity', 'session'],
  ['/PUBLIC', 'session'],
  ['/files', 'session'],
  ['/files/a', 'nothing'],
  ['/public/../x', 'session'],
  ['/x/../public/a', 'session'],
  ['/public/%2e%2e/x', 'session'],
  ['/public/%252e%252e/x', 'session'],
  ['/public/..%2fx', 'session'],
  ['/public/..%5cx', 'session'],
  ['/public/..;/x', 'session'],
  ['/public;a=1/../x', 'session'],
  ['//public/../x', 'session'],
  ['/admin', [['boss']]],
  ['/Admin/users', [['boss']]],
  ['/admin/', [['boss']]],
  ['/administration', 'session'],
  ['/admin/health', 'nothing'],
  ['/admin/logs', [['ops', 'boss']]],
  ['/%61dmin', [['boss']]],
  ['/x/..//admin', [['boss']]],
  ['/public/..;x/admin', [['boss']]],
  ['/%2561dmin', [['boss']]],
  ['/%252525252561dmin', [['boss'], ['ops', 'boss']]],
  ['/%zz', 'session'],
]
test('a path is open only if everybody reads it as an open one, and needs what anybody reads it as', (t) => {
  for (const [uri, needs] of paths) {
    const { isOpen, roles } = requirementOf(uri, rules)
    const unique = [...new Map(roles.map((list) => [list.join(), list])).values()]
    t.strictSame(isOpen ? 'nothing' : unique.length === 0 ? 'session' : unique, needs, uri)
  }
  for (const path of ['/a', '/a/', '/', '/a.b-c_d~e', '/张']) t.ok(isPlainPath(path), path)
  for (const path of ['a', '', '/a/../b', '//', '/a//b', '/a;b', '/a?b', '/a#b', '/%61', '/a\\b', '/.', '/a b'])
    t.notOk(isPlainPath(path), path)
  t.end()
})
