import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const start = async (t: Test) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' } } })
  const tenant = await server.operator.addTenant('Other')
  await server.addUser('alice', { tenantId: tenant.id })
  return { server, tenantId: tenant.id }
}
const login = (server: TestServer, tenantId: number, password: string) =>
  server.call('POST', '/auth/login', { json: { username: 'alice', password, tenantId } })

test('that an account is disabled learns only who has its password', async (t) => {
  const { server, tenantId } = await start(t)
  await server.operator.setEnabled('alice', false, tenantId)
  expectProblem(t, await login(server, tenantId, 'wrong horse battery'), 'invalid_credentials')
  const answer = await login(server, tenantId, userPassword)
  expectProblem(t, answer, 'account_disabled')
  t.strictSame(Object.keys(answer.body.data), ['reason'])
  await server.operator.setEnabled('alice', true, tenantId)
  expectSuccess(t, await login(server, tenantId, userPassword))
})

test('a locked account does not sign in either', async (t) => {
  const { server, tenantId } = await start(t)
  const { operator } = server
  const { db } = server.app
  const alice = await db.users.findByUsername(tenantId, 'alice')
  await db.users.change(alice?.id ?? 0, { userStatus: 2 }, server.clock.now())
  expectProblem(t, await login(server, tenantId, userPassword), 'account_disabled')
  await operator.unlock('alice', tenantId)
  expectSuccess(t, await login(server, tenantId, userPassword))
})

test('that a tenant is disabled learns only who has a password of it', async (t) => {
  const { server, tenantId } = await start(t)
  const { db } = server.app
  await db.tenants.setEnabled(tenantId, false, server.clock.now())
  expectProblem(t, await login(server, tenantId, 'wrong horse battery'), 'invalid_credentials')
  expectProblem(t, await login(server, tenantId, userPassword), 'tenant_disabled')
  await db.tenants.setEnabled(tenantId, true, server.clock.now())
  expectSuccess(t, await login(server, tenantId, userPassword))
})

test('guesses at a disabled account are counted', async (t) => {
  const { server, tenantId } = await start(t)
  await server.operator.setEnabled('alice', false, tenantId)
  for (let index = 0; index < 5; index++) {
    expectProblem(t, await login(server, tenantId, 'wrong horse battery'), 'invalid_credentials')
  }
  expectProblem(t, await login(server, tenantId, userPassword), 'too_many_attempts')
})

test('a refused sign-in starts no session and is not written down as one', async (t) => {
  const { server, tenantId } = await start(t)
  await server.operator.setEnabled('alice', false, tenantId)
  await login(server, tenantId, userPassword)
  const { accessToken: token } = await server.signIn()
  const page = await server.call('GET', '/system/user/page', { token, query: { username: 'alice' } })
  const [record] = expectSuccess(t, page).records
  t.strictSame([record.userStatus, record.loginCount, record.lastLoginTime], [0, 0, null])
})

test('an account without a password opens with none', async (t) => {
  const { server, tenantId } = await start(t)
  const { db, clock } = server.app
  const user = { username: 'robot', realName: 'Robot', userType: 2, passwordHash: null, forcePasswordChange: false }
  await db.users.add({ ...user, tenantId }, clock.now())
  for (const password of ['null', 'undefined', userPassword, ' ']) {
    const answer = await server.call('POST', '/auth/login', { json: { username: 'robot', password, tenantId } })
    expectProblem(t, answer, 'invalid_credentials')
  }
})
