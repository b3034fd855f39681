import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { insertRoles } from '../../helpers/databases/many-rows.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { stepsOf } from '../../helpers/values/steps.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit } from './administrator.js'

const managing = ['list', 'add', 'edit', 'delete'].map((action) => `system:role:${action}`)

const start = async (t: Test) => {
  const server = await startServer(t)
  await server.operator.addTenant('Other')
  const tokens = {
    'a system administrator': (await server.signIn()).accessToken,
    'a tenant administrator': await signInAs(server, 'tenant-admin', { userType: 1, permissions: managing }),
    'a user with permissions': await signInAs(server, 'manager', { permissions: [...managing, 'page:text:edit'] }),
  }
  return { server, tokens, token: tokens['a system administrator'] }
}

const rolesOf = async (server: TestServer, tenantId = 1) => {
  const { rows } = await server.app.db.roles.page({ tenantId }, { current: 1, size: 100, offset: 0 }, [], stepsOf(100))
  const permissions = await server.app.db.roles.permissionsByRole(rows.map(({ id }) => id))
  return rows.map((role) => ({ ...role, permissions: permissions.get(role.id) }))
}

test('a role is added, listed, changed and deleted, and each is in the audit trail', async (t) => {
  const { server, token } = await start(t)
  const sent = { key: 'editor', name: 'Editor', permissions: ['page:text:edit', 'page:*:read'] }
  const added = expectSuccess(t, await server.call('POST', '/system/role', { token, json: sent }))
  t.match(added, {
    tenantId: 1,
    tenantName: 'Default',
    key: 'editor',
    name: 'Editor',
    permissions: ['page:*:read', 'page:text:edit'],
  })
  const find = async (query: string) =>
    expectSuccess(t, await server.call('GET', '/system/role/page', { token, query })).records
  t.match(await find('roleKey=DIT'), [added])
  t.match(await find('roleName=edi'), [added])
  t.same(await find('roleKey=d_t'), [])
  t.same(await find('roleKey=editor&tenantId=2'), [])
  t.same(expectSuccess(t, await server.call('GET', '/system/role/editor', { token })), added)
  const json = { name: 'Author', permissions: ['page:text:read'] }
  const changed = expectSuccess(t, await server.call('PATCH', '/system/role/editor', { token, json }))
  t.same(changed, { ...added, ...json })
  const renamed = await server.call('PATCH', '/system/role/editor', { token, json: { name: 'Writer' } })
  t.same(expectSuccess(t, renamed), { ...changed, name: 'Writer' }, 'absent permissions stay')
  expectSuccess(t, await server.call('DELETE', '/system/role/editor', { token }))
  expectSuccess(t, await server.call('DELETE', '/system/role/editor', { token }))
  expectProblem(t, await server.call('DELETE', '/system/role/nothing', { token }), 'not_found')
  expectProblem(t, await server.call('PATCH', '/system/role/editor', { token, json }), 'not_found')
  expectProblem(t, await server.call('GET', '/system/role/editor', { token }), 'not_found')
  t.same(await find('roleKey=editor'), [])
  const rows = await audit(server, token, 'targetType=role&targetId=editor')
  const who = { actorName: 'admin', source: 'api', tenantId: 1 }
  t.match(rows, [
    { ...who, action: 'role.delete', before: { name: 'Writer', permissions: ['page:text:read'] }, after: null },
    { ...who, action: 'role.edit', before: { name: 'Author' }, after: { name: 'Writer' } },
    { ...who, action: 'role.edit', before: { name: 'Editor' }, after: json },
    { ...who, action: 'role.add', targetName: 'Editor', before: null, after: { key: 'editor' } },
  ])
  t.equal(rows.length, 4, 'the repetition is not recorded')
})

test('what is not valid in a role names its field and changes nothing', async (t) => {
  const { server, token } = await start(t)
  await server.operator.addRole('editor', 'Editor', ['page:text:edit'])
  const before = await rolesOf(server)
  const rows: [object, string[]][] = [
    [{}, ['key']],
    [{ key: 'editor' }, ['key']],
    [
      { key: 'x\u0007', name: 'y\u0007', permissions: ['a:b:c', 'a:b', '*'] },
      ['key', 'name', 'permissions.1', 'permissions.2'],
    ],
    [{ key: 'x', permissions: 'a:b:c' }, ['permissions']],
    [{ key: 'x', permissions: ['a:b:c', 'a:b:c'] }, ['permissions']],
    [{ key: 'x', permissions: ['a\0b:c:d'] }, ['permissions']],
    [{ key: 'x', permissions: Array.from({ length: 501 }, (_, index) => `a:b:c${index}`) }, ['permissions']],
    [{ key: 'x', tenantId: 99 }, ['tenantId']],
  ]
  for (const [json, fields] of rows)
    expectProblem(t, await server.call('POST', '/system/role', { token, json }), 'invalid_request', fields)
  const changes: [object, string[]][] = [
    [{ name: 'x\u0007' }, ['name']],
    [{ permissions: ['x'] }, ['permissions.0']],
  ]
  for (const [json, fields] of changes)
    expectProblem(t, await server.call('PATCH', '/system/role/editor', { token, json }), 'invalid_request', fields)
  t.same(await rolesOf(server), before)
})

test('permissions given to a role and taken back act at once in every session', async (t) => {
  const { server, token } = await start(t)
  const roleOf = (json: object) => server.call('PATCH', '/system/role/reader', { token, json })
  await server.operator.addRole('reader', 'Reader', [])
  const { id } = await server.addUser('alice', { roles: ['reader'] })
  const sessions = [await server.signIn('alice'), await server.signIn('alice', undefined, { userClient: 'app' })]
  const each = async (check: (answer: Awaited<ReturnType<TestServer['call']>>) => void) => {
    for (const { accessToken } of sessions) check(await server.call('GET', '/system/user/page', { token: accessToken }))
  }
  await each((answer) => expectProblem(t, answer, 'permission_denied'))
  expectSuccess(t, await roleOf({ permissions: ['system:user:list'] }))
  await each((answer) => void expectSuccess(t, answer))
  expectSuccess(t, await roleOf({ permissions: [] }))
  await each((answer) => expectProblem(t, answer, 'permission_denied'))
  expectSuccess(t, await roleOf({ permissions: ['*:*:*'] }))
  expectSuccess(t, await server.call('DELETE', '/system/role/reader', { token }))
  await each((answer) => expectProblem(t, answer, 'permission_denied'))
  t.same((await server.app.db.roles.grantsOf(id)).roleKeys, [])
})

/** The roles to change: who has them, and what they grant. */
const roles = {
  'of users': { holder: 2, tenantId: 1, permissions: ['page:text:edit'] },
  'of nobody': { holder: undefined, tenantId: 1, permissions: ['page:text:edit'] },
  'that grants more': { holder: 2, tenantId: 1, permissions: ['page:text:edit', 'report:daily:read'] },
  'of a tenant administrator': { holder: 1, tenantId: 1, permissions: ['page:text:edit'] },
  'of a system administrator': { holder: 0, tenantId: 1, permissions: ['page:text:edit'] },
  'of another tenant': { holder: 2, tenantId: 2, permissions: ['page:text:edit'] },
} as const
type RoleKind = keyof typeof roles

const mayChange: Record<keyof Awaited<ReturnType<typeof start>>['tokens'], RoleKind[]> = {
  'a system administrator': Object.keys(roles) as RoleKind[],
  'a tenant administrator': ['of users', 'of nobody', 'that grants more', 'of a tenant administrator'],
  'a user with permissions': ['of users', 'of nobody'],
}

test('each caller changes and deletes only the roles that the table allows', async (t) => {
  const { server, tokens } = await start(t)
  let count = 0
  for (const [caller, allowed] of Object.entries(mayChange)) {
    const token = tokens[caller as keyof typeof tokens]
    for (const [kind, { holder, tenantId, permissions }] of Object.entries(roles)) {
      for (const [method, json] of [
        ['PATCH', { name: 'Changed' }],
        ['PATCH', { permissions: [] }],
        ['DELETE', undefined],
      ] as const) {
        const key = `role-${++count}`
        await server.operator.addRole(key, key, [...permissions], tenantId)
        if (holder !== undefined) await server.addUser(`user-${count}`, { userType: holder, tenantId, roles: [key] })
        const before = await rolesOf(server, tenantId)
        const path = `/system/role/${key}?tenantId=${tenantId}`
        const answer = await server.call(method, path, { token, json })
        if (allowed.includes(kind as RoleKind)) {
          t.equal(answer.status, 200, `${caller} may ${method} a role ${kind}: ${answer.text}`)
          t.notSame(await rolesOf(server, tenantId), before)
          continue
        }
        const isHidden = kind === 'of another tenant'
        expectProblem(t, answer, isHidden ? 'not_found' : 'permission_denied')
        t.same(await rolesOf(server, tenantId), before, `${caller} may not ${method} a role ${kind}`)
      }
    }
  }
})

test('nobody gives a role what it does not have, and no user extends a role of its own', async (t) => {
  const { server, tokens } = await start(t)
  await server.operator.addRole('plain', 'Plain', [])
  const token = tokens['a user with permissions']
  const before = await rolesOf(server)
  const add = (json: object, caller: keyof typeof tokens) =>
    server.call('POST', '/system/role', { token: tokens[caller], json })
  const user = 'a user with permissions'
  for (const permission of ['report:daily:read', 'system:role:*', '*:*:*', 'page:*:edit']) {
    const permissions = [permission]
    expectProblem(t, await add({ key: 'new', permissions }, user), 'invalid_request', ['permissions'])
    const change = await server.call('PATCH', '/system/role/plain', { token, json: { permissions } })
    expectProblem(t, change, 'invalid_request', ['permissions'])
  }
  const own = '/system/role/role-of-manager'
  expectProblem(t, await server.call('PATCH', own, { token, json: { permissions: [] } }), 'permission_denied')
  expectProblem(t, await server.call('DELETE', own, { token }), 'permission_denied')
  t.same(await rolesOf(server), before)
  expectSuccess(t, await add({ key: 'page-editor', permissions: ['page:text:edit'] }, user))
  expectSuccess(t, await add({ key: 'anything', permissions: ['*:*:*'] }, 'a tenant administrator'))
  for (const caller of ['a user with permissions', 'a tenant administrator'] as const)
    expectProblem(t, await add({ key: 'elsewhere', tenantId: 2 }, caller), 'invalid_request', ['tenantId'])
  expectSuccess(t, await add({ key: 'elsewhere', tenantId: 2 }, 'a system administrator'))
  t.same(
    (await rolesOf(server, 2)).map(({ key }) => key),
    ['elsewhere'],
  )
})

test('roles of other tenants are never shown, and each request needs its permission', async (t) => {
  const { server, tokens } = await start(t)
  await server.operator.addRole('theirs', 'Theirs', [], 2)
  await server.operator.addRole('shared', 'Their name', ['page:text:edit'], 2)
  await server.operator.addRole('shared', 'Our name', [], 1)
  const show = (caller: keyof typeof tokens, path: string) => server.call('GET', path, { token: tokens[caller] })
  const theirs = expectSuccess(t, await show('a system administrator', '/system/role/theirs?tenantId=2'))
  t.match(theirs, { tenantId: 2, key: 'theirs', name: 'Theirs', permissions: [] })
  expectProblem(t, await show('a system administrator', '/system/role/theirs'), 'not_found')
  expectProblem(t, await show('a system administrator', '/system/role/theirs?tenantId=99'), 'not_found')
  for (const caller of ['a tenant administrator', 'a user with permissions'] as const) {
    const unknown = await show(caller, '/system/role/nothing')
    for (const path of ['theirs', 'theirs?tenantId=2', 'shared?tenantId=2', 'nothing?tenantId=99']) {
      const answer = await show(caller, `/system/role/${path}`)
      expectProblem(t, answer, 'not_found')
      t.same(answer.body.data, unknown.body.data, 'nothing tells it from a role that does not exist')
      t.notMatch(answer.text, /Theirs|Their name|page:text:edit/)
    }
    t.match(expectSuccess(t, await show(caller, '/system/role/shared')), { tenantId: 1, name: 'Our name' })
  }
  const keys = async (caller: keyof typeof tokens, query: string) => {
    const answer = await server.call('GET', '/system/role/page', { token: tokens[caller], query })
    return (expectSuccess(t, answer).records as { key: string }[]).map(({ key }) => key)
  }
  t.same(await keys('a system administrator', 'tenantId=2'), ['theirs', 'shared'])
  t.ok((await keys('a system administrator', 'pageSize=100')).includes('theirs'))
  for (const caller of ['a tenant administrator', 'a user with permissions'] as const) {
    t.same(await keys(caller, 'tenantId=2'), [])
    t.notOk((await keys(caller, 'pageSize=100')).includes('theirs'))
  }
  const requests = [
    ['GET', '/system/role/page', undefined, 'list'],
    ['GET', '/system/role/admin', undefined, 'list'],
    ['POST', '/system/role', { key: 'new' }, 'add'],
    ['PATCH', '/system/role/admin', { name: 'x' }, 'edit'],
    ['DELETE', '/system/role/admin', undefined, 'delete'],
  ] as const
  for (const [method, path, json, needed] of requests) {
    const permissions = managing.filter((permission) => permission !== `system:role:${needed}`)
    const token = await signInAs(server, `without-${needed}-${path.length}`, { userType: 1, permissions })
    expectProblem(t, await server.call(method, path, { token, json }), 'permission_denied')
    expectProblem(t, await server.call(method, path, { json }), 'token_missing')
  }
})

test('the last administrator cannot be stripped by a change or deletion of its role', async (t) => {
  const { server, token } = await start(t)
  for (const [method, json] of [
    ['PATCH', { permissions: ['system:user:list'] }],
    ['PATCH', { permissions: [] }],
    ['DELETE', undefined],
  ] as const)
    expectProblem(t, await server.call(method, '/system/role/admin', { token, json }), 'last_administrator')
  const { id } = (await server.app.db.users.findByUsername(1, 'admin')) ?? { id: 0 }
  t.match(await server.app.db.roles.grantsOf(id), { roleKeys: ['admin'], permissions: ['*:*:*'] })
  // The names stay: only what the trail shows of a refused change would be new.
  t.same(await audit(server, token, 'action=role.edit'), [])
  expectSuccess(t, await server.call('PATCH', '/system/role/admin', { token, json: { permissions: ['system:*:*'] } }))
})

test('a tenant has at most 1,000 roles, however many are added at once', async (t) => {
  const { server, token } = await start(t)
  const count = async () =>
    expectSuccess(t, await server.call('GET', '/system/role/page', { token, query: 'tenantId=1' })).total as number
  await insertRoles(server.directory, 998 - (await count()), server.clock.now())
  const add = (key: string, more: object = {}) => server.call('POST', '/system/role', { token, json: { key, ...more } })
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => add(`parallel-${index}`)))
  t.equal(answers.filter(({ status }) => status === 200).length, 2)
  for (const answer of answers.filter(({ status }) => status !== 200)) expectProblem(t, answer, 'role_limit_reached')
  t.equal(await count(), 1000)
  t.equal(
    (await audit(server, token, 'action=role.add&targetId=parallel-5')).length,
    answers[5]?.status === 200 ? 1 : 0,
  )
  await t.rejects(server.operator.addRole('by-command', 'By command', []), { code: 'role_limit_reached' })
  expectProblem(t, await add('role-1'), 'invalid_request', ['key'])
  expectSuccess(t, await add('elsewhere', { tenantId: 2 }))
  expectSuccess(t, await server.call('PATCH', '/system/role/role-1', { token, json: { name: 'Renamed' } }))
  expectSuccess(t, await server.call('DELETE', '/system/role/role-2', { token }))
  expectSuccess(t, await add('again'))
  expectProblem(t, await add('too-many'), 'role_limit_reached')
  t.equal(await count(), 1000)
})
