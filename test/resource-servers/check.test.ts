import { test } from 'tap'
import { expectProblem, expectSuccess } from '../helpers/expect.js'
import { startServer } from '../helpers/server.js'

const path = '/auth/check'

test('a reverse proxy learns whether a token is accepted, and whose it is', async (t) => {
  const server = await startServer(t)
  const alice = await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const answer = await server.call('GET', path, { token })
  t.equal(expectSuccess(t, answer), null)
  t.equal(answer.headers.get('x-user-id'), String(alice.id))
  t.equal(answer.headers.get('x-tenant-id'), '1')
  await server.call('POST', '/auth/logout', { token })
  const refused = await server.call('GET', path, { token })
  expectProblem(t, refused, 'session_revoked')
  t.equal(refused.headers.get('x-user-id'), null)
  expectProblem(t, await server.call('GET', path), 'token_missing')
})

test('it may ask for a permission, which any granted pattern covers', async (t) => {
  const server = await startServer(t)
  await server.operator.addRole('reader', 'Reader', ['report:*:read'])
  await server.addUser('alice', { roles: ['reader'] })
  const { accessToken: token } = await server.signIn('alice')
  const ask = (permission: string) => server.call('GET', path, { token, query: { permission } })
  expectSuccess(t, await ask('report:daily:read'))
  expectSuccess(t, await ask(''))
  for (const permission of ['report:daily:write', 'system:user:list']) {
    const answer = await ask(permission)
    expectProblem(t, answer, 'permission_denied')
    t.equal(answer.headers.get('x-user-id'), null)
  }
  for (const permission of ['report', 'report:daily', 'a:b:c:d', 'a b:c:d', ':::'])
    expectProblem(t, await ask(permission), 'invalid_request', ['permission'])
})

test('users who must change their password first are refused', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice', { forcePasswordChange: true })
  const { accessToken: token } = await server.signIn('alice')
  expectProblem(t, await server.call('GET', path, { token }), 'password_change_required')
})
