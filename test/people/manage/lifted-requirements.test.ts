import { test, type Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol } from '../../helpers/service/factors.js'
import { startWithMessages } from '../../helpers/service/self-service.js'

const start = async (t: Test) => {
  const { server, mailAfter } = await startWithMessages(t)
  const { accessToken: token } = await server.signIn()
  await server.operator.addRole('auditor', 'Auditor', ['system:user:list', 'system:role:*', 'system:user:*'])
  const user = await server.addUser('bob')
  await server.operator.assign('auditor', 'bob')
  const call = (method: string, path: string, json?: object, as = token) =>
    server.call(method, path, { token: as, ...(json === undefined ? {} : { json }) })
  /** Requires a factor of the role, the tenant, and nobody is exempt. */
  const require = async () => {
    expectSuccess(t, await call('PATCH', '/system/role/auditor', { secondFactorRequired: true }))
    expectSuccess(t, await call('PATCH', '/system/tenant/1', { secondFactorRequired: true }))
  }
  await require()
  return { server, mailAfter, token, call, id: user.id }
}

/** Every way to take a requirement away. */
const waysFor = (id: number): [string, string, object | undefined][] => [
  ['PATCH', '/system/role/auditor', { secondFactorRequired: false }],
  ['PATCH', '/system/tenant/1', { secondFactorRequired: false }],
  ['PATCH', `/system/user/${id}`, { factorExempt: true }],
  ['PATCH', `/system/user/${id}`, { roleKeys: [] }],
  ['PUT', `/system/user/${id}/roles`, { roleKeys: [] }],
  ['DELETE', '/system/role/auditor', undefined],
]

test('whoever has proved no factor in the session takes no requirement of one away', async (t) => {
  const { server, call, id } = await start(t)
  for (const [method, path, json] of waysFor(id)) expectProblem(t, await call(method, path, json), 'step_up_required')
  const { db } = server.app
  t.equal((await db.roles.find(1, 'auditor'))?.secondFactorRequired, true)
  t.equal((await db.tenants.find(1))?.secondFactorRequired, true)
  t.equal((await db.factorStates.find(id)).exempt, false)
  t.strictSame((await db.roles.grantsOf(id)).roleKeys, ['auditor'])
  // What takes nothing away goes on without a factor.
  expectSuccess(t, await call('PATCH', '/system/role/auditor', { name: 'Auditors' }))
  expectSuccess(t, await call('PATCH', `/system/user/${id}`, { realName: 'Bob' }))
})

test('a proof that is older than ten minutes is none', async (t) => {
  const { server, token, call } = await start(t)
  await enrol(t, server, token)
  server.clock.advance(601)
  expectProblem(t, await call('PATCH', '/system/role/auditor', { secondFactorRequired: false }), 'step_up_required')
})

test('with a factor each way works, and the administrators are told by mail by whom', async (t) => {
  const { server, mailAfter, token, call, id } = await start(t)
  const { management } = server.app
  const operator = operatorActor()
  await management.edit(operator, 1, { email: 'admin@example.com' })
  t.match(await mailAfter(() => enrol(t, server, token)), /second factor was added/)
  for (const [method, path, json] of waysFor(id)) {
    await management.roles.edit(operator, { key: 'auditor' }, { secondFactorRequired: true })
    await management.tenants.edit(operator, 1, { secondFactorRequired: true })
    await management.edit(operator, id, { factorExempt: false, roleKeys: ['auditor'] })
    const mail = await mailAfter(async () => expectSuccess(t, await call(method, path, json)))
    t.match(mail, /You are told as an administrator, admin: admin has taken away that/, `${method} ${path}`)
  }
})

test('a command may take a requirement away, and the administrators are told', async (t) => {
  const { server, mailAfter } = await start(t)
  const { management } = server.app
  await management.edit(operatorActor(), 1, { email: 'admin@example.com' })
  const mail = await mailAfter(() => management.tenants.edit(operatorActor(), 1, { secondFactorRequired: false }))
  t.match(mail, /has taken away that users of the tenant Default need a second factor/)
})
