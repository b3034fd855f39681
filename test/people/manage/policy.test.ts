import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import {
  startServer,
  userPassword,
  type Answer,
  type CallOptions,
  type TestServer,
} from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'
import type { Reason } from '../../../schemas/problems.js'

const managing = ['view', 'add', 'edit', 'delete', 'reset', 'contact', 'list'].map((action) => `system:user:${action}`)

/** The callers. Each has the permissions for all routes; only the rules on top of them differ. */
const callers = {
  'a system administrator': { userType: 0, permissions: ['*:*:*'] },
  'a tenant administrator': { userType: 1, permissions: managing },
  'a user with permissions': { userType: 2, permissions: managing },
} as const

/** The targets, each a fresh account for each request. */
const targets = {
  'a system administrator': { userType: 0, permissions: ['*:*:*'], tenantId: 1 },
  'a tenant administrator': { userType: 1, permissions: managing, tenantId: 1 },
  'a user': { userType: 2, permissions: undefined, tenantId: 1 },
  'a user who may do more': { userType: 2, permissions: ['report:daily:read'], tenantId: 1 },
  'a user of another tenant': { userType: 2, permissions: undefined, tenantId: 2 },
} as const

type Call = (server: TestServer, token: string, id: number) => Promise<Answer>
const send =
  (method: string, path: string, options: CallOptions = {}): Call =>
  (server, token, id) =>
    server.call(method, `/system/user/${id}${path}`, { token, ...options })
const batch =
  (action: string): Call =>
  (server, token, id) =>
    server.call('POST', '/system/user/batch', { token, json: { ids: [id], action } })

const actions: Record<string, Call> = {
  edit: send('PATCH', '', { json: { remark: 'changed' } }),
  'change the contact of': (server, token, id) =>
    server.call('PATCH', `/system/user/${id}`, { token, json: { email: `new-${id}@example.com` } }),
  'reset the password of': send('POST', '/password', { json: { password: 'another long phrase' } }),
  disable: send('POST', '/disable'),
  enable: send('POST', '/enable'),
  unlock: send('POST', '/unlock'),
  'take the roles of': send('PUT', '/roles', { json: { roleKeys: [] } }),
  'disable in a batch': batch('disable'),
  'delete in a batch': batch('delete'),
  delete: send('DELETE', ''),
}

const allowed: Record<keyof typeof callers, (keyof typeof targets)[]> = {
  'a system administrator': [
    'a system administrator',
    'a tenant administrator',
    'a user',
    'a user who may do more',
    'a user of another tenant',
  ],
  'a tenant administrator': ['a tenant administrator', 'a user', 'a user who may do more'],
  'a user with permissions': ['a user'],
}

const start = async (t: Parameters<typeof startServer>[0]) => {
  const server = await startServer(t)
  await server.operator.addTenant('Other')
  let count = 0
  const addTarget = async ({ userType, permissions, tenantId }: (typeof targets)[keyof typeof targets]) => {
    count += 1
    const roles = permissions ? [`target-${count}`] : []
    if (permissions) await server.operator.addRole(`target-${count}`, 'x', [...permissions], tenantId)
    return server.addUser(`target-${count}`, { userType, tenantId, roles })
  }
  return { server, addTarget }
}

for (const [callerName, caller] of Object.entries(callers)) {
  test(`${callerName} changes only whom the table allows`, async (t) => {
    const { server, addTarget } = await start(t)
    const token = await signInAs(server, 'caller', { ...caller, permissions: [...caller.permissions] })
    for (const [targetName, kind] of Object.entries(targets)) {
      const isAllowed = allowed[callerName as keyof typeof callers].includes(targetName as keyof typeof targets)
      const isVisible = kind.tenantId === 1 || caller.userType === 0
      for (const [action, call] of Object.entries(actions)) {
        const target = await addTarget(kind)
        const before = await server.app.db.users.find(target.id)
        const answer = await call(server, token, target.id)
        if (isAllowed) {
          t.equal(answer.status, 200, `may ${action} ${targetName}: ${answer.text}`)
          continue
        }
        if (action.endsWith('batch')) expectProblem(t, answer, 'invalid_request', ['ids.0'])
        else expectProblem(t, answer, isVisible ? 'permission_denied' : 'not_found')
        t.same(await server.app.db.users.find(target.id), before, `may not ${action} ${targetName}`)
      }
      const seen = await server.call('GET', `/system/user/${(await addTarget(kind)).id}`, { token })
      if (isVisible) expectSuccess(t, seen)
      else expectProblem(t, seen, 'not_found')
    }
  })

  test(`${callerName} does not change its own account here`, async (t) => {
    const { server } = await start(t)
    const token = await signInAs(server, 'caller', { ...caller, permissions: [...caller.permissions] })
    const self = await server.app.db.users.findByUsername(1, 'caller')
    for (const [action, call] of Object.entries(actions)) {
      const answer = await call(server, token, self?.id ?? 0)
      if (action.endsWith('batch')) expectProblem(t, answer, 'invalid_request', ['ids.0'])
      else expectProblem(t, answer, 'own_account')
    }
    t.same(await server.app.db.users.findByUsername(1, 'caller'), self)
    expectSuccess(t, await server.call('GET', `/system/user/${self?.id}`, { token }))
  })
}

/** What each request needs, and what is refused without it. */
const needs: [string, string, CallOptions | undefined, string][] = [
  ['GET', '/system/user/{id}', undefined, 'system:user:view'],
  ['PATCH', '/system/user/{id}', { json: { remark: 'x' } }, 'system:user:edit'],
  ['DELETE', '/system/user/{id}', undefined, 'system:user:delete'],
  ['POST', '/system/user/{id}/password', { json: { password: 'another long phrase' } }, 'system:user:reset'],
  ['POST', '/system/user/{id}/disable', undefined, 'system:user:edit'],
  ['POST', '/system/user/{id}/enable', undefined, 'system:user:edit'],
  ['POST', '/system/user/{id}/unlock', undefined, 'system:user:edit'],
  ['PUT', '/system/user/{id}/roles', { json: { roleKeys: [] } }, 'system:user:edit'],
  ['POST', '/system/user', { json: { username: 'new', password: 'another long phrase' } }, 'system:user:add'],
  ['GET', '/system/audit/page', undefined, 'system:audit:list'],
]

test('each request needs its permission, and no other one is enough', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('target')
  const everything = [...managing, 'system:audit:list']
  for (const [index, [method, path, options, needed]] of needs.entries()) {
    const target = path.replace('{id}', String(id))
    const without = await signInAs(server, `without-${index}`, {
      userType: 1,
      permissions: everything.filter((permission) => permission !== needed),
    })
    expectProblem(t, await server.call(method, target, { token: without, ...options }), 'permission_denied')
    expectProblem(t, await server.call(method, target, options), 'token_missing')
  }
  t.ok(await server.app.db.users.find(id))
  t.notOk(await server.app.db.users.findByUsername(1, 'new'))
})

test('nobody gives a rank or a permission that it does not have', async (t) => {
  const { server } = await start(t)
  await server.operator.addRole('reader', 'Reader', ['report:daily:read'])
  await server.operator.addRole('lister', 'Lister', ['system:user:list'])
  const tokens: Record<string, string> = {}
  for (const [name, { userType, permissions }] of Object.entries(callers))
    tokens[name] = await signInAs(server, `caller${userType}`, { userType, permissions: [...permissions] })
  const { id } = await server.addUser('target')

  type Row = [keyof typeof callers, object, Reason | undefined, string[]]
  const rows: Row[] = [
    ['a user with permissions', { userType: 1 }, 'invalid_request', ['userType']],
    ['a user with permissions', { userType: 0 }, 'invalid_request', ['userType']],
    ['a user with permissions', { roleKeys: ['reader'] }, 'invalid_request', ['roleKeys']],
    ['a user with permissions', { roleKeys: ['lister'] }, undefined, []],
    ['a tenant administrator', { userType: 0 }, 'invalid_request', ['userType']],
    ['a tenant administrator', { userType: 2, roleKeys: ['reader'] }, undefined, []],
    ['a system administrator', { userType: 0 }, undefined, []],
  ]
  for (const [caller, fields, reason, named] of rows) {
    const token = tokens[caller] ?? ''
    const username = `new-${rows.findIndex((row) => row[1] === fields)}`
    const added = await server.call('POST', '/system/user', {
      token,
      json: { username, password: 'another long phrase', ...fields },
    })
    const changed = await server.call('PATCH', `/system/user/${id}`, { token, json: fields })
    if (reason) {
      expectProblem(t, added, reason, named)
      expectProblem(t, changed, reason, named)
      t.notOk(await server.app.db.users.findByUsername(1, username))
    } else {
      expectSuccess(t, added)
      expectSuccess(t, changed)
    }
  }
  const elsewhere = { username: 'elsewhere', password: userPassword, tenantId: 2 }
  for (const caller of ['a tenant administrator', 'a user with permissions'])
    expectProblem(
      t,
      await server.call('POST', '/system/user', { token: tokens[caller] ?? '', json: elsewhere }),
      'invalid_request',
      ['tenantId'],
    )
})
