import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit } from './administrator.js'

const permissions = [
  ...['list', 'add', 'edit'].map((action) => `system:tenant:${action}`),
  ...['list', 'delete'].map((action) => `system:session:${action}`),
  'system:loginlog:list',
]

const start = async (t: Test) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  const tokens = {
    'a system administrator': (await server.signIn()).accessToken,
    'a tenant administrator': await signInAs(server, 'tenant-admin', { userType: 1, permissions }),
    'a user with permissions': await signInAs(server, 'manager', { permissions }),
  }
  return { server, tokens, other, token: tokens['a system administrator'] }
}
type Caller = keyof Awaited<ReturnType<typeof start>>['tokens']
const bound: Caller[] = ['a tenant administrator', 'a user with permissions']

const recordsOf = async <T = any>(t: Test, server: TestServer, path: string, token: string, query = '') =>
  expectSuccess(t, await server.call('GET', path, { token, query })).records as T[]

test('a tenant is added, renamed, disabled and enabled, and each is in the audit trail', async (t) => {
  const { server, token } = await start(t)
  const change = (json: object) => server.call('PATCH', `/system/tenant/${added.id}`, { token, json })
  const added = expectSuccess(t, await server.call('POST', '/system/tenant', { token, json: { name: 'Acme' } }))
  t.match(added, { name: 'Acme', enabled: true })
  t.same(await recordsOf(t, server, '/system/tenant/page', token, 'name=CM'), [added])
  t.same(expectSuccess(t, await server.call('GET', `/system/tenant/${added.id}`, { token })), added)
  t.equal((await recordsOf(t, server, '/system/tenant/page', token, 'orderByColumn=name&isAsc=desc'))[0].name, 'Other')
  t.same(expectSuccess(t, await change({ name: 'ACME' })), { ...added, name: 'ACME' }, 'only the case')
  const live = await signInAs(server, 'alice', { tenantId: added.id })
  expectSuccess(t, await change({ enabled: false }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: live }), 'session_revoked')
  const signIn = { username: 'alice', password: userPassword, tenantId: added.id }
  expectProblem(t, await server.call('POST', '/auth/login', { json: signIn }), 'tenant_disabled')
  expectSuccess(t, await change({ enabled: false }))
  expectSuccess(t, await change({ enabled: true }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: live }), 'session_revoked')
  expectSuccess(t, await server.call('POST', '/auth/login', { json: signIn }))
  const who = { actorName: 'admin', source: 'api', tenantId: added.id, targetId: String(added.id) }
  const rows = (await audit(server, token, `targetType=tenant&targetId=${added.id}`)) as unknown[]
  t.match(rows, [
    { ...who, action: 'tenant.enable', before: { enabled: false }, after: { enabled: true } },
    { ...who, action: 'tenant.disable', before: { enabled: true }, after: { enabled: false } },
    { ...who, action: 'tenant.edit', before: { name: 'Acme' }, after: { name: 'ACME' } },
    { ...who, action: 'tenant.add', before: null, after: { name: 'Acme' } },
  ])
  t.equal(rows.length, 4, 'the repetition is not recorded')
})

test('what is not valid in a tenant names its field, and the tenants that must stay enabled stay', async (t) => {
  const { server, token, other } = await start(t)
  const before = await server.app.db.tenants.list()
  for (const [json, fields] of [
    [{}, ['name']],
    [{ name: 'OTHER' }, ['name']],
    [{ name: '12' }, ['name']],
    [{ name: 'x\u0007' }, ['name']],
  ] as const)
    expectProblem(t, await server.call('POST', '/system/tenant', { token, json }), 'invalid_request', [...fields])
  for (const [id, json, reason] of [
    [other.id, { name: 'Default' }, 'invalid_request'],
    [other.id, { enabled: 'maybe' }, 'invalid_request'],
    [1, { enabled: false }, 'last_administrator'],
    [99, { name: 'x' }, 'not_found'],
  ] as const)
    expectProblem(t, await server.call('PATCH', `/system/tenant/${id}`, { token, json }), reason)
  // The only administrator is in another tenant than the default one.
  const boss = await signInAs(server, 'boss', { tenantId: other.id, userType: 0, permissions: ['*:*:*'] })
  const { id = 0 } = (await server.app.db.users.findByUsername(1, 'admin')) ?? {}
  expectSuccess(t, await server.call('POST', `/system/user/${id}/disable`, { token: boss }))
  const helper = await signInAs(server, 'helper', { userType: 0, permissions })
  const disable = { token: helper, json: { enabled: false } }
  expectProblem(t, await server.call('PATCH', `/system/tenant/${other.id}`, disable), 'last_administrator')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: boss }))
  t.same(await server.app.db.tenants.list(), before)
})

test('only system administrators change tenants, whatever permissions others give themselves', async (t) => {
  const { server, tokens, other, token } = await start(t)
  const before = await server.app.db.tenants.list()
  await server.call('POST', '/system/role', { token, json: { key: 'all', permissions: ['system:tenant:*', '*:*:*'] } })
  await server.addUser('ruler', { userType: 1, roles: ['all'] })
  const rulers = [...bound.map((caller) => tokens[caller]), (await server.signIn('ruler')).accessToken]
  for (const caller of rulers) {
    t.same(
      (await recordsOf(t, server, '/system/tenant/page', caller)).map(({ id }) => id),
      [1],
    )
    const json = { name: 'Mine', enabled: false }
    expectProblem(t, await server.call('POST', '/system/tenant', { token: caller, json }), 'permission_denied')
    expectProblem(t, await server.call('PATCH', '/system/tenant/1', { token: caller, json }), 'permission_denied')
    expectProblem(t, await server.call('PATCH', `/system/tenant/${other.id}`, { token: caller, json }), 'not_found')
  }
  t.same(await server.app.db.tenants.list(), before)
})

test('a tenant is shown to its own users with the permission and to system administrators, to nobody else', async (t) => {
  const { server, tokens, other, token } = await start(t)
  const show = (id: number | string, caller?: string) =>
    server.call('GET', `/system/tenant/${id}`, caller === undefined ? {} : { token: caller })
  t.match(expectSuccess(t, await show(other.id, token)), { id: other.id, name: 'Other', enabled: true })
  for (const caller of Object.values(tokens)) {
    t.match(expectSuccess(t, await show(1, caller)), { id: 1, name: 'Default', enabled: true })
    expectProblem(t, await show(99, caller), 'not_found')
    for (const id of [0, -1, 'x', '1.5']) expectProblem(t, await show(id, caller), 'invalid_request')
  }
  for (const caller of bound) {
    const answer = await show(other.id, tokens[caller])
    expectProblem(t, answer, 'not_found')
    t.same(answer.body.data, (await show(99, tokens[caller])).body.data, 'nothing tells it from an unknown one')
    t.notMatch(answer.text, /Other/)
  }
  const without = permissions.filter((permission) => permission !== 'system:tenant:list')
  const stranger = await signInAs(server, 'stranger', { userType: 1, permissions: without })
  expectProblem(t, await show(1, stranger), 'permission_denied')
  expectProblem(t, await show(1), 'token_missing')
})

test('live sessions are listed with their users, filtered and sorted, and never with a token', async (t) => {
  const { server, token, other } = await start(t)
  await server.addUser('alice', { realName: 'Alice Liddell' })
  server.clock.advance(1)
  const alice = await server.signIn('alice', undefined, { userClient: 'app' })
  server.clock.advance(1)
  await signInAs(server, 'bob', { tenantId: other.id })
  const list = (query: string) => recordsOf(t, server, '/system/session/page', token, query)
  const names = async (query: string) => (await list(query)).map(({ username }) => username)
  t.same((await names('')).slice(0, 2), ['bob', 'alice'])
  t.equal((await names('')).length, 5)
  t.same((await names('orderByColumn=loginTime&isAsc=asc')).at(-1), 'bob')
  t.same(await names('orderByColumn=last_active_time&isAsc=desc&pageSize=2'), ['bob', 'alice'])
  t.same(await names('username=LIC'), ['alice'])
  t.same(await names(`tenantId=${other.id}`), ['bob'])
  t.same(await names('loginIp=192.0.2.1'), [])
  t.same(await names('pageNum=2&pageSize=4&orderByColumn=loginTime&isAsc=asc'), ['bob'])
  const [record] = await list('username=alice')
  const shown = {
    realName: 'Alice Liddell',
    tenantId: 1,
    tenantName: 'Default',
    userClient: 'app',
    loginIp: '127.0.0.1',
  }
  t.match(record, { ...shown, current: false, loginTime: server.clock.now() - 1000 })
  t.same(await names(`userId=${record.userId}`), ['alice'])
  t.notMatch(JSON.stringify(await list('')), /token|sealed|eyJ|generation/i)
  t.same((await list('username=admin&isAsc=asc&orderByColumn=loginTime')).filter(({ current }) => current).length, 1)
  await server.call('POST', '/auth/logout', { token: alice.accessToken })
  t.same(await names('username=alice'), [], 'an ended session is not live')
  expectProblem(
    t,
    await server.call('GET', '/system/session/page', { token, query: 'orderByColumn=username' }),
    'invalid_request',
    ['orderByColumn'],
  )
})
/** Whose sessions each caller may end. */
const targets = {
  'a system administrator': { userType: 0, tenantId: 1, permissions: ['*:*:*'] },
  'a tenant administrator': { userType: 1, tenantId: 1, permissions: [] },
  'a user': { userType: 2, tenantId: 1, permissions: [] },
  'a user who may do more': { userType: 2, tenantId: 1, permissions: ['report:daily:read'] },
  'a user of another tenant': { userType: 2, tenantId: 2, permissions: [] },
}
type Target = keyof typeof targets
const mayEnd: Record<Caller, Target[]> = {
  'a system administrator': Object.keys(targets) as Target[],
  'a tenant administrator': ['a tenant administrator', 'a user', 'a user who may do more'],
  'a user with permissions': ['a user'],
}

test('each caller ends only the sessions that the table allows, and sees only those of its tenant', async (t) => {
  const { server, tokens, token } = await start(t)
  let count = 0
  for (const [caller, allowed] of Object.entries(mayEnd) as [Caller, Target[]][]) {
    for (const [name, target] of Object.entries(targets)) {
      const username = `target-${++count}`
      const live = await signInAs(server, username, target)
      const [{ id }] = (await recordsOf(t, server, '/system/session/page', token, `username=${username}`)) as [any]
      const seen = await recordsOf(t, server, '/system/session/page', tokens[caller], `username=${username}`)
      const isHidden = target.tenantId === 2 && caller !== 'a system administrator'
      t.equal(seen.length, isHidden ? 0 : 1)
      t.same(await recordsOf(t, server, '/system/session/page', tokens[caller], 'tenantId=99'), [])
      const end = () => server.call('DELETE', `/system/session/${id}`, { token: tokens[caller] })
      const userInfo = () => server.call('GET', '/auth/userInfo', { token: live })
      if (allowed.includes(name as Target)) {
        expectSuccess(t, await end())
        expectProblem(t, await userInfo(), 'session_revoked')
        expectSuccess(t, await end())
        const rows = await audit(server, token, `action=session.end&targetId=${id}`)
        t.match(rows, [{ targetType: 'session', targetName: username, before: { userClient: 'pc' }, after: null }])
        t.equal(rows.length, 1, 'the repetition is not recorded')
        continue
      }
      expectProblem(t, await end(), isHidden ? 'not_found' : 'permission_denied')
      expectSuccess(t, await userInfo())
      t.same(await audit(server, token, `targetId=${id}`), [])
    }
    const own = (await recordsOf(t, server, '/system/session/page', tokens[caller])).find(({ current }) => current)
    const answer = await server.call('DELETE', `/system/session/${own?.id}`, { token: tokens[caller] })
    expectProblem(t, answer, 'own_account')
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: tokens[caller] }))
  }
  expectProblem(t, await server.call('DELETE', '/system/session/nothing', { token }), 'not_found')
})

test('the login log is filtered, sorted by time, and shows a tenant only its own rows', async (t) => {
  const { server, tokens, token, other } = await start(t)
  server.clock.advance(60)
  await server.addUser('alice')
  await server.call('POST', '/auth/login', { json: { username: 'alice', password: 'wrong' } })
  server.clock.advance(60)
  await server.signIn('alice', undefined, { userClient: 'app' })
  await signInAs(server, 'bob', { tenantId: other.id })
  const list = (query: string, caller: Caller = 'a system administrator') =>
    recordsOf(t, server, '/system/login-log/page', tokens[caller], query)
  const { id = 0 } = (await server.app.db.users.findByUsername(1, 'alice')) ?? {}
  t.match(await list('subject=LIC'), [
    { subject: 'alice', userId: id, reason: null, userClient: 'app', tries: 1, address: '127.0.0.1' },
    { subject: 'alice', userId: null, reason: 'invalid_credentials', authType: 'password' },
  ])
  const count = async (query: string, caller?: Caller) => (await list(query, caller)).length
  t.equal(await count('subject=alice&refusedOnly=true'), 1)
  t.equal(await count('refusedOnly=false'), 6)
  t.equal(await count('reason=invalid_credentials'), 1)
  t.equal(await count(`userId=${id}`), 1)
  t.equal(await count('userClient=app'), 1)
  t.equal(await count('authType=password&address=127.0.0.1'), 6)
  t.equal(await count('address=192.0.2.1'), 0)
  t.equal(await count(`timeFrom=${new Date(server.clock.now()).toISOString()}`), 2)
  t.equal(await count('timeTo=2001-01-01'), 0)
  t.same((await list('orderByColumn=time&isAsc=asc'))[0].subject, 'admin')
  for (const caller of bound) {
    t.equal(await count('subject=bob', caller), 0)
    t.equal(await count(`tenantId=${other.id}`, caller), 0)
    t.equal(await count('subject=alice', caller), 2)
  }
  t.equal(await count(`tenantId=${other.id}`), 1)
  for (const [query, field] of [
    ['timeFrom=yesterday', 'timeFrom'],
    ['orderByColumn=subject', 'orderByColumn'],
    ['refusedOnly=maybe', 'refusedOnly'],
  ] as const)
    expectProblem(t, await server.call('GET', '/system/login-log/page', { token, query }), 'invalid_request', [field])
  t.notMatch(JSON.stringify(await list('')), /wrong|eyJ/)
})

test('each of these requests needs its permission', async (t) => {
  const { server } = await start(t)
  const requests = [
    ['GET', '/system/tenant/page', undefined, 'system:tenant:list'],
    ['POST', '/system/tenant', { name: 'New' }, 'system:tenant:add'],
    ['PATCH', '/system/tenant/2', { name: 'New' }, 'system:tenant:edit'],
    ['GET', '/system/session/page', undefined, 'system:session:list'],
    ['DELETE', '/system/session/x', undefined, 'system:session:delete'],
    ['GET', '/system/login-log/page', undefined, 'system:loginlog:list'],
  ] as const
  for (const [index, [method, path, json, needed]] of requests.entries()) {
    const token = await signInAs(server, `without-${index}`, {
      userType: 0,
      permissions: permissions.filter((permission) => permission !== needed),
    })
    expectProblem(t, await server.call(method, path, { token, json }), 'permission_denied')
    expectProblem(t, await server.call(method, path, { json }), 'token_missing')
  }
  t.notOk(await server.app.db.tenants.findByName('New'))
})
