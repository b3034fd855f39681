import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

const permissions = '/auth/current/permissions'

test('S5: a disabled user is out with the next call, on every session', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  await server.addUser('alice')
  await server.addUser('bob')
  const sessions = [await server.signIn('alice'), await server.signIn('alice', undefined, { userClient: 'app' })]
  const bob = await server.signIn('bob')
  for (const { accessToken: token } of sessions) expectSuccess(t, await server.call('GET', permissions, { token }))
  await operator.setEnabled('alice', false)
  for (const { accessToken: token } of sessions) {
    expectProblem(t, await server.call('GET', permissions, { token }), 'session_revoked')
    expectProblem(t, await server.call('POST', '/auth/refreshToken', { token }), 'session_revoked')
  }
  expectSuccess(t, await server.call('GET', permissions, { token: bob.accessToken }))
  await operator.setEnabled('alice', true)
  for (const { accessToken: token } of sessions) {
    expectProblem(t, await server.call('GET', permissions, { token }), 'session_revoked')
  }
})

test('S5: a disabled tenant is out with the next call, and other tenants are not', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  const { db } = server.app
  const tenant = await operator.addTenant('Other')
  await server.addUser('alice', { tenantId: tenant.id })
  const alice = await server.signIn('alice', undefined, { tenantId: tenant.id })
  const admin = await server.signIn()
  await db.tenants.setEnabled(tenant.id, false, server.clock.now())
  expectProblem(t, await server.call('GET', permissions, { token: alice.accessToken }), 'session_revoked')
  expectProblem(t, await server.call('POST', '/auth/refreshToken', { token: alice.accessToken }), 'session_revoked')
  expectSuccess(t, await server.call('GET', permissions, { token: admin.accessToken }))
})

test('S7: a role that is assigned or granted more works with the next call, for the same token', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const list = () => server.call('GET', '/system/user/page', { token })
  const held = async () => expectSuccess<string[]>(t, await server.call('GET', permissions, { token }))
  t.strictSame(await held(), [])
  expectProblem(t, await list(), 'permission_denied')
  await operator.addRole('reader', 'Reader', ['system:role:list'])
  await operator.assign('reader', 'alice')
  t.strictSame(await held(), ['system:role:list'])
  expectProblem(t, await list(), 'permission_denied')
  await operator.grant('reader', ['system:user:list'])
  t.strictSame([...(await held())].sort(), ['system:role:list', 'system:user:list'])
  expectSuccess(t, await list())
})

test('a wildcard stands for one whole segment', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  const rows: [permission: string, isEnough: boolean][] = [
    ['*:*:*', true],
    ['system:*:*', true],
    ['system:user:*', true],
    ['*:user:list', true],
    ['*:*:list', true],
    ['system:user:list', true],
    ['system:user:listen', false],
    ['system:*:add', false],
    ['user:*:*', false],
    ['System:user:list', false],
  ]
  for (const [index, [permission, isEnough]] of rows.entries()) {
    await t.test(`${permission} is ${isEnough ? '' : 'not '}enough for the list`, async (t) => {
      await operator.addRole(`role-${index}`, 'Role', [permission])
      await server.addUser(`user-${index}`, { roles: [`role-${index}`] })
      const { accessToken: token } = await server.signIn(`user-${index}`)
      const answer = await server.call('GET', '/system/user/page', { token })
      if (isEnough) expectSuccess(t, answer)
      else expectProblem(t, answer, 'permission_denied')
    })
  }
})

test('a role of another tenant with the same key gives nothing', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  const tenant = await operator.addTenant('Other')
  await operator.addRole('reader', 'Reader', ['system:user:list'], tenant.id)
  await operator.addRole('reader', 'Reader', [])
  await server.addUser('alice', { roles: ['reader'] })
  const { accessToken: token } = await server.signIn('alice')
  t.strictSame(expectSuccess(t, await server.call('GET', permissions, { token })), [])
})

test('a password set by an operator ends every session of the user', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const sessions = [await server.signIn('alice'), await server.signIn('alice', undefined, { userClient: 'h5' })]
  await server.operator.setPassword('alice', 'brass kettle whistle', { forcePasswordChange: false })
  for (const { accessToken: token } of sessions) {
    expectProblem(t, await server.call('GET', permissions, { token }), 'session_revoked')
  }
})
