import { test, type Test } from 'tap'
import type { Reason } from '../../../schemas/problems.js'
import { addApiToken } from '../../helpers/service/api-tokens.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const manager = [
  ...['system:user:list', 'system:user:view', 'system:user:add', 'system:user:edit', 'system:user:delete'],
  ...['system:user:reset', 'system:role:list', 'system:role:add', 'system:role:edit', 'system:role:delete'],
]

const start = async (t: Test) => {
  const server = await startServer(t)
  const { operator, app } = server
  await operator.addRole('manager', 'Manager', manager)
  await operator.addRole('lister', 'Lister', ['system:user:list'])
  await operator.addRole('auditor', 'Auditor', ['system:audit:list'])
  const bot = await operator.addUser({ username: 'bot', userType: 3, roles: ['manager'], forcePasswordChange: false })
  const same = await server.addUser('same', { roles: ['manager'] })
  const plain = await server.addUser('plain', { phone: '13800138001', email: 'plain@example.com' })
  const head = await server.addUser('head', { userType: 1, roles: ['admin'] })
  const auditor = await server.addUser('auditor', { roles: ['auditor'] })
  const tokenOf = async (id: number, permissions: string[] | null = null) =>
    (await addApiToken(app.db, server.clock, { id, tenantId: 1 }, { permissions })).token
  return { server, tokenOf, ids: { bot: bot.id, same: same.id, plain: plain.id, head: head.id, auditor: auditor.id } }
}

type Ids = Awaited<ReturnType<typeof start>>['ids']
interface Row {
  name: string
  send: (ids: Ids & { own: number }) => [method: string, path: string, json?: object]
  answer: Reason | 'success'
  fields?: string[]
}

const rows: Row[] = [
  {
    name: 'changes a user',
    send: ({ plain }) => ['PATCH', `/system/user/${plain}`, { remark: 'x' }],
    answer: 'success',
  },
  {
    name: 'gives a role of what it has',
    send: ({ plain }) => ['PUT', `/system/user/${plain}/roles`, { roleKeys: ['lister'] }],
    answer: 'success',
  },
  {
    name: 'gives a role beyond its own',
    send: ({ plain }) => ['PUT', `/system/user/${plain}/roles`, { roleKeys: ['lister', 'auditor'] }],
    answer: 'invalid_request',
    fields: ['roleKeys'],
  },
  {
    name: 'adds a user with a role beyond its own',
    send: () => ['POST', '/system/user', { username: 'x', password: userPassword, roleKeys: ['auditor'] }],
    answer: 'invalid_request',
    fields: ['roleKeys'],
  },
  {
    name: 'makes a role beyond its own',
    send: () => ['POST', '/system/role', { key: 'x', name: 'X', permissions: ['system:audit:list'] }],
    answer: 'invalid_request',
    fields: ['permissions'],
  },
  {
    name: 'adds an administrator',
    send: () => ['POST', '/system/user', { username: 'x', password: userPassword, userType: 1 }],
    answer: 'invalid_request',
    fields: ['userType'],
  },
  {
    name: 'adds a service account',
    send: () => ['POST', '/system/user', { username: 'x', userType: 3 }],
    answer: 'invalid_request',
    fields: ['userType'],
  },
  {
    name: 'changes an administrator',
    send: ({ head }) => ['PATCH', `/system/user/${head}`, { remark: 'x' }],
    answer: 'permission_denied',
  },
  {
    name: 'sets the password of an administrator',
    send: () => ['POST', '/system/user/1/password', { password: userPassword }],
    answer: 'permission_denied',
  },
  {
    name: 'changes somebody who may more',
    send: ({ auditor }) => ['PATCH', `/system/user/${auditor}`, { remark: 'x' }],
    answer: 'permission_denied',
  },
  {
    name: 'changes itself',
    send: ({ own }) => ['PATCH', `/system/user/${own}`, { remark: 'x' }],
    answer: 'own_account',
  },
  {
    name: 'changes its own roles',
    send: ({ own }) => ['PUT', `/system/user/${own}/roles`, { roleKeys: ['lister'] }],
    answer: 'own_account',
  },
  { name: 'deletes itself', send: ({ own }) => ['DELETE', `/system/user/${own}`], answer: 'own_account' },
  {
    name: 'changes the role that it has',
    send: () => ['PATCH', '/system/role/manager', { name: 'Other' }],
    answer: 'permission_denied',
  },
]

test('a service account administers as a user with the same roles does, and so does a token of this user', async (t) => {
  const { server, tokenOf, ids } = await start(t)
  const callers = [
    { own: ids.bot, token: await tokenOf(ids.bot) },
    { own: ids.same, token: await tokenOf(ids.same) },
    { own: ids.same, token: (await server.signIn('same')).accessToken },
  ]
  for (const { name, send, answer: expected, fields } of rows) {
    for (const { own, token } of callers) {
      const [method, path, json] = send({ ...ids, own })
      const answer = await server.call(method, path, { token, ...(json && { json }) })
      if (expected === 'success') expectSuccess(t, answer)
      else expectProblem(t, answer, expected, fields)
      t.comment(name)
    }
  }
  for (const { token } of callers) {
    const { records } = expectSuccess(
      t,
      await server.call('GET', '/system/user/page', { token, query: { username: 'plain' } }),
    )
    t.match(records[0], { phone: '138******8001' }, 'masked')
    expectProblem(
      t,
      await server.call('GET', '/system/user/page', { token, query: { phone: '13800138001' } }),
      'permission_denied',
    )
  }
})

test('a token of an administrator that was given a part is bound by it', async (t) => {
  const { server, tokenOf, ids } = await start(t)
  const part = await tokenOf(1, manager)
  const all = await tokenOf(1)
  const call = (token: string, method: string, path: string, json: object) => server.call(method, path, { token, json })
  const roles = { roleKeys: ['auditor'] }
  expectProblem(t, await call(part, 'PUT', `/system/user/${ids.plain}/roles`, roles), 'invalid_request', ['roleKeys'])
  expectProblem(t, await call(part, 'PATCH', `/system/user/${ids.auditor}`, { remark: 'x' }), 'permission_denied')
  expectProblem(t, await call(part, 'POST', '/system/tenant', { name: 'Other' }), 'permission_denied')
  const json = { key: 'more', name: 'More', permissions: ['system:tenant:add'] }
  expectProblem(t, await call(part, 'POST', '/system/role', json), 'invalid_request', ['permissions'])
  expectProblem(t, await server.call('GET', '/system/audit/page', { token: part }), 'permission_denied')
  expectSuccess(t, await call(all, 'PUT', `/system/user/${ids.plain}/roles`, roles))
  // What takes a second factor proved in the session, no token does.
  const exempt = await call(all, 'PATCH', `/system/user/${ids.plain}`, { factorExempt: true })
  expectProblem(t, exempt, 'token_not_allowed')
  expectProblem(t, await call(all, 'POST', '/system/user/export/ticket', {}), 'token_not_allowed')
})

test('the audit trail names the token by which something was done', async (t) => {
  const { server, tokenOf, ids } = await start(t)
  const token = await tokenOf(ids.bot)
  expectSuccess(t, await server.call('PATCH', `/system/user/${ids.plain}`, { token, json: { remark: 'x' } }))
  const { accessToken } = await server.signIn()
  const { records } = expectSuccess(t, await server.call('GET', '/system/audit/page', { token: accessToken }))
  t.match(records[0], { action: 'user.edit', actorId: ids.bot, actorName: 'bot (token nightly)', source: 'api' })
  const { total } = expectSuccess(t, await server.call('GET', '/system/login-log/page', { token: accessToken }))
  t.equal(total, 1, 'the sign-in of the administrator alone')
})
