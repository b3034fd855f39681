import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { codeAt, enrol, firstStep, secondStep, signInTwice } from '../../helpers/service/factors.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'

const day = 86_400

const start = async (t: Test, secondFactor: object) => {
  const server = await startServer(t, { settings: { secondFactor } })
  await server.addUser('alice')
  return server
}
const policyOf = async (t: Test, server: TestServer, token: string) => {
  const { policy, deadline } = expectSuccess(t, await server.call('GET', '/auth/factors', { token }))
  return { policy, deadline }
}

test('a required factor has one deadline for each account, from the first sign-in without it on (ASVS 6.3.3)', async (t) => {
  const server = await start(t, { policy: 'required', graceDays: 7 })
  server.clock.advance(30 * day)
  const first = server.clock.now()
  const { accessToken: token } = await server.signIn('alice')
  const deadline = new Date(first + 7 * day * 1000).toISOString()
  t.strictSame(await policyOf(t, server, token), { policy: 'required', deadline })
  server.clock.advance(6 * day)
  const again = await server.signIn('alice')
  t.strictSame(await policyOf(t, server, again.accessToken), { policy: 'required', deadline }, 'nothing extends it')
  server.clock.advance(day)
  const refused = await firstStep(server, 'alice')
  expectProblem(t, refused, 'second_factor_setup_required')
  t.match(refused.body.message, /set one up at \/sign-in of this service/)
})

test('a ticket to set a factor up admits to enrolment only, and confirming is the sign-in', async (t) => {
  const server = await start(t, { policy: 'required', graceDays: 0 })
  const { ticket } = (await firstStep(server, 'alice')).body.data
  for (const authType of ['totp', 'recovery'])
    expectProblem(t, await secondStep(server, { authType, ticket, code: '123456' }), 'invalid_grant')
  const begun = expectSuccess(t, await server.call('POST', '/auth/factors/totp', { json: { ticket } }))
  const confirm = (code: string) =>
    server.call('POST', '/auth/factors/totp/confirm', { json: { ticket, key: begun.key, code } })
  expectProblem(t, await confirm('000000'), 'invalid_code')
  const done = expectSuccess(t, await confirm(codeAt(begun.secret, server.clock.now())))
  t.strictSame(Object.keys(done).sort(), ['factor', 'recoveryCodes', 'session'])
  t.equal(done.recoveryCodes.length, 10)
  const { accessToken: token } = done.session
  t.equal(expectSuccess(t, await server.call('GET', '/auth/userInfo', { token })).username, 'alice')
  expectProblem(t, await confirm(codeAt(begun.secret, server.clock.now())), 'invalid_grant')
  expectProblem(t, await server.call('POST', '/auth/factors/totp', { json: { ticket } }), 'invalid_grant')
  expectProblem(t, await firstStep(server, 'alice'), 'second_factor_required')
})

test('the last factor stays while one is required', async (t) => {
  const server = await start(t, { policy: 'required', graceDays: 7 })
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const token = await signInTwice(t, server, 'alice', app)
  expectProblem(t, await server.call('DELETE', `/auth/factors/${app.id}`, { token }), 'factor_required_by_policy')
  const second = await enrol(t, server, token, { name: 'Tablet' })
  t.strictSame(second.recoveryCodes, [], 'codes come with the first factor only')
  expectSuccess(t, await server.call('DELETE', `/auth/factors/${app.id}`, { token }))
})

test('a tenant and a role may require a factor, and an exempt account needs none', async (t) => {
  const server = await start(t, { graceDays: 0 })
  const { db } = server.app
  const { id } = (await db.users.findByUsername(1, 'alice')) ?? { id: 0 }
  t.ok((await server.signIn('alice')).accessToken)
  await db.tenants.setSecondFactorRequired(1, true, server.clock.now())
  expectProblem(t, await firstStep(server, 'alice'), 'second_factor_setup_required')
  t.equal((await db.factorStates.find(id)).setupDeadline, undefined, 'a sign-in that starts no session writes nothing')
  await db.factorStates.setExempt(id, true)
  t.ok((await server.signIn('alice')).accessToken)
  await db.factorStates.setExempt(id, false)
  await db.tenants.setSecondFactorRequired(1, false, server.clock.now())
  const role = await server.operator.addRole('staff', 'Staff', [])
  await db.roles.assign(id, role.id)
  t.ok((await server.signIn('alice')).accessToken)
  await db.roles.setSecondFactorRequired(role.id, true)
  expectProblem(t, await firstStep(server, 'alice'), 'second_factor_setup_required')
})

test('off offers no new factor and requires none, and asks for one that an account has', async (t) => {
  const directoryOf = async (policy: string) => start(t, { policy })
  const server = await directoryOf('off')
  const { accessToken: token } = await server.signIn('alice')
  t.strictSame(await policyOf(t, server, token), { policy: 'off', deadline: null })
  expectProblem(t, await server.call('POST', '/auth/factors/totp', { token, json: {} }), 'unsupported_auth_type')
  await server.app.db.tenants.setSecondFactorRequired(1, true, server.clock.now())
  t.ok((await server.signIn('alice')).accessToken)
  const { db } = server.app
  const user = await db.users.findByUsername(1, 'alice')
  await db.transaction((inside) => inside.users.setHasSecondFactor(user?.id ?? 0, true, server.clock.now()))
  expectProblem(t, await firstStep(server, 'alice'), 'second_factor_required')
})

test('a forced change of the password comes after the factor', async (t) => {
  const server = await start(t, {})
  const app = await enrol(t, server, (await server.signIn('alice')).accessToken)
  const user = await server.app.db.users.findByUsername(1, 'alice')
  await server.operator.setPassword('alice', 'another long phrase', { forcePasswordChange: true })
  t.ok(user)
  const first = await firstStep(server, 'alice', { json: { password: 'another long phrase' } })
  expectProblem(t, first, 'second_factor_required')
  const result = expectSuccess(t, await secondStep(server, { ticket: first.body.data.ticket, code: app.nextCode() }))
  t.equal(result.forcePasswordChange, true)
})
