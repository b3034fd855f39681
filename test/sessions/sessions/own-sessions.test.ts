import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

test('a person sees the own live sessions, latest first, and which one this is', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: old } = await server.signIn('alice')
  server.clock.advance(60)
  const headers = { 'user-agent': 'Phone/1.0' }
  const json = { username: 'alice', password: 'plain green teapot', userClient: 'app' }
  const phone = expectSuccess(t, await server.call('POST', '/auth/login', { json, headers }))
  await server.signIn()
  const list = expectSuccess(t, await server.call('GET', '/auth/sessions', { token: phone.accessToken }))
  t.equal(list.length, 2)
  t.match(list[0], { userClient: 'app', userAgent: 'Phone/1.0', current: true, loginIp: '127.0.0.1' })
  t.match(list[1], { userClient: 'pc', current: false, loginTime: list[0].loginTime - 60_000 })
  t.notMatch(JSON.stringify(list), old.split('.')[2] ?? '')
  expectProblem(t, await server.call('GET', '/auth/sessions'), 'token_missing')
})

test('S6: ending one session ends that one, at once', async (t) => {
  const server = await startServer(t)
  const one = await server.signIn()
  const other = await server.signIn()
  const list = expectSuccess(t, await server.call('GET', '/auth/sessions', { token: one.accessToken }))
  const { id } = list.find(({ current }: { current: boolean }) => !current)
  expectSuccess(t, await server.call('DELETE', `/auth/sessions/${id}`, { token: one.accessToken }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: other.accessToken }), 'session_revoked')
  expectProblem(t, await server.call('POST', '/auth/refreshToken', { token: other.accessToken }), 'session_revoked')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: one.accessToken }))
  expectProblem(t, await server.call('DELETE', `/auth/sessions/${id}`, { token: one.accessToken }), 'not_found')
})

test('S6: nobody ends the session of somebody else, in the same tenant or another', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  await server.addUser('alice')
  await server.addUser('alice', { tenantId: other.id })
  const here = await server.signIn('alice')
  const there = await server.signIn('alice', 'plain green teapot', { tenantId: other.id })
  const [{ id }] = expectSuccess(t, await server.call('GET', '/auth/sessions', { token: there.accessToken }))
  for (const { accessToken } of [here, await server.signIn()]) {
    expectProblem(t, await server.call('DELETE', `/auth/sessions/${id}`, { token: accessToken }), 'not_found')
  }
  expectSuccess(t, await server.call('DELETE', '/auth/sessions', { token: here.accessToken }))
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: there.accessToken }))
})

test('ending the others leaves this one (ASVS 7.5.2)', async (t) => {
  const server = await startServer(t)
  const sessions = [await server.signIn(), await server.signIn(), await server.signIn()]
  const token = sessions[1]?.accessToken ?? ''
  expectSuccess(t, await server.call('DELETE', '/auth/sessions', { token }))
  for (const [index, { accessToken }] of sessions.entries()) {
    const answer = await server.call('GET', '/auth/userInfo', { token: accessToken })
    if (index === 1) expectSuccess(t, answer)
    else expectProblem(t, answer, 'session_revoked')
  }
})

test('S6: an operator lists and ends the sessions of a user', async (t) => {
  const server = await startServer(t)
  const { accessToken } = await server.signIn()
  const [session] = await server.app.accounts.listSessions('admin')
  await t.rejects(server.app.accounts.endSessions('admin', 'nonsense'), { code: 'invalid_request' })
  t.equal(await server.app.accounts.endSessions('admin', session?.id), 1)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: accessToken }), 'session_revoked')
  t.same(await server.app.accounts.listSessions('admin'), [])
})
