import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer } from '../../helpers/service/server.js'

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

test('it answers GET and HEAD, and refuses a proxy that asks with another method', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const headers = { authorization: `Bearer ${token}` }
  for (const method of ['GET', 'HEAD']) t.equal((await fetch(server.origin + path, { method, headers })).status, 200)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await fetch(server.origin + path, { method, headers })
    t.equal(answer.status, 405, method)
    t.equal(answer.headers.get('x-user-id'), null)
  }
})

test('it may ask for a permission, which any granted pattern covers', async (t) => {
  const server = await startServer(t)
  await server.operator.addRole('reader', 'Reader', ['report:*:read'])
  await server.addUser('alice', { roles: ['reader'] })
  const { accessToken: token } = await server.signIn('alice')
  const ask = (permission: string) => server.call('GET', path, { token, query: { permission } })
  expectSuccess(t, await ask('report:daily:read'))
  for (const permission of ['report:daily:write', 'system:user:list']) {
    const answer = await ask(permission)
    expectProblem(t, answer, 'permission_denied')
    t.equal(answer.headers.get('x-user-id'), null)
  }
  for (const permission of ['report', 'report:daily', 'a:b:c:d', 'a b:c:d', ':::'])
    expectProblem(t, await ask(permission), 'invalid_request', ['permission'])
})

test('a parameter that is blank, repeated or unknown is refused, so that a typing error admits nobody', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows: [query: string, field: string][] = [
    ['permission=', 'permission'],
    ['permission', 'permission'],
    ['permission=%20', 'permission'],
    ['permission=a:b:c&permission=a:b:c', 'permission'],
    ['permission=&permission=a:b:c', 'permission'],
    ['permision=a:b:c', 'permision'],
    ['Permission=a:b:c', 'Permission'],
    ['permission[]=a:b:c', 'permission[]'],
    ['permission=a:b:c&x=1', 'x'],
    ['x', 'x'],
    ['=', ''],
  ]
  for (const [query, field] of rows) {
    const answer = await server.call('GET', path, { token, query })
    expectProblem(t, answer, 'invalid_request', field === '' ? undefined : [field])
    t.equal(answer.headers.get('x-user-id'), null)
  }
  const known = await server.call('GET', path, { token, query: 'permission=a:b:c' })
  t.equal(known.headers.get('x-user-id'), '1', 'an administrator has every permission')
})

test('users who must change their password first are refused', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice', { forcePasswordChange: true })
  const { accessToken: token } = await server.signIn('alice')
  expectProblem(t, await server.call('GET', path, { token }), 'password_change_required')
})
