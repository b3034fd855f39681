import { test } from 'tap'
import { makeApiToken } from '../../../lib/api-token.js'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { userPassword } from '../../../test/helpers/service/server.js'
import { startTokens } from './start-tokens.js'

test('a token is made by a person, shown once, and signs in what it may', async (t) => {
  const { server, admin, make, get } = await startTokens(t)
  const made = expectSuccess(t, await make(admin, { permissions: ['system:user:list'] }))
  t.match(made, { name: 'nightly export', start: made.token.slice(0, 8), permissions: ['system:user:list'] })
  t.match(made.token, /^rct_[0-9A-Za-z]{49}$/)
  t.equal(Date.parse(made.expiry) - server.clock.now(), 90 * 24 * 3600 * 1000)
  const list = expectSuccess(t, await get('/auth/tokens', admin))
  t.equal(list.length, 1)
  t.notMatch(JSON.stringify(list), made.token)

  t.equal(expectSuccess(t, await get('/system/user/page', made.token)).total, 1)
  expectProblem(t, await get('/system/role/page', made.token), 'permission_denied')
  t.strictSame(expectSuccess(t, await get('/auth/current/permissions', made.token)), ['system:user:list'])
  t.match(expectSuccess(t, await get('/auth/userInfo', made.token)), {
    username: 'admin',
    permissions: ['system:user:list'],
  })
  expectSuccess(t, await get('/auth/check?permission=system:user:list', made.token))
  const [used] = expectSuccess(t, await get('/auth/tokens', admin))
  t.type(used.lastUsedTime, 'string')
  t.equal(used.lastUsedIp, '127.0.0.1')

  // Somebody else, who knows its id, does not end it.
  await server.addUser('alice')
  const { accessToken: alice } = await server.signIn('alice')
  expectProblem(t, await server.call('DELETE', `/auth/tokens/${made.id}`, { token: alice }), 'not_found')
  expectSuccess(t, await get('/system/user/page', made.token))
  expectSuccess(t, await server.call('DELETE', `/auth/tokens/${made.id}`, { token: admin }))
  expectProblem(t, await get('/system/user/page', made.token), 'token_ended')
  expectProblem(t, await server.call('DELETE', `/auth/tokens/${made.id}`, { token: admin }), 'not_found')
  t.same(expectSuccess(t, await get('/auth/tokens', admin)), [])
  t.notMatch(server.log(), made.token)
})

test('what is no token, unknown or ended is refused, and nothing tells unknown ones from ended ones', async (t) => {
  const { admin, make, get } = await startTokens(t)
  const { token } = expectSuccess(t, await make(admin))
  const changed = `${token.slice(0, 10)}${token[10] === 'a' ? 'b' : 'a'}${token.slice(11)}`
  expectProblem(t, await get('/system/user/page', changed), 'token_invalid')
  expectProblem(t, await get('/system/user/page', makeApiToken()), 'token_ended')
  expectProblem(t, await get('/system/user/page', 'rct_'), 'token_invalid')
})

test('a token opens only what asks for a permission or says so', async (t) => {
  const { server, admin, make, get } = await startTokens(t)
  const { token } = expectSuccess(t, await make(admin))
  for (const path of ['/auth/refreshToken', '/auth/logout', '/auth/stepUp', '/auth/factors/totp', '/auth/tokens'])
    expectProblem(t, await server.call('POST', path, { token, json: {} }), 'token_not_allowed')
  expectProblem(t, await get('/auth/sessions', token), 'token_not_allowed')
  for (const path of [`/auth/userInfo?access_token=${token}`, `/auth/userInfo?token=${token}`])
    expectProblem(t, await server.call('GET', path), 'token_missing')
  t.notMatch(server.log(), token)
})

test('a token ends with its time, its owner and its permissions, and only at its addresses', async (t) => {
  const { server, admin, addService, makeFor, get } = await startTokens(t, {
    environment: { TRUST_PROXY: '127.0.0.1' },
  })
  const { id } = await addService(['system:user:list', 'system:role:list'])
  const asked = { days: 1, permissions: ['system:user:list'], addresses: ['192.0.2.0/24', '2001:db8::1'] }
  const { token } = expectSuccess(t, await makeFor(id, asked))
  const call = (address = '192.0.2.7') => get('/system/user/page', token, address)
  expectSuccess(t, await call())
  expectSuccess(t, await call('2001:db8::1'))
  expectSuccess(t, await call('::ffff:192.0.2.9'))
  for (const address of ['192.0.3.1', '2001:db8::2']) expectProblem(t, await call(address), 'token_not_allowed')
  expectProblem(t, await get('/system/role/page', token, '192.0.2.7'), 'permission_denied')

  const roles = (roleKeys: string[]) =>
    server.call('PUT', `/system/user/${id}/roles`, { token: admin, json: { roleKeys } })
  expectSuccess(t, await roles([]))
  expectProblem(t, await call(), 'permission_denied')
  expectSuccess(t, await roles(['nightly']))
  expectSuccess(t, await call())
  expectSuccess(t, await server.call('POST', `/system/user/${id}/disable`, { token: admin }))
  expectProblem(t, await call(), 'token_ended')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/enable`, { token: admin }))
  expectSuccess(t, await call())
  server.clock.advance(24 * 3600)
  expectProblem(t, await call(), 'token_expired')
})

test('a service account has no other way in, and is never changed into a person', async (t) => {
  const { server, admin, addService } = await startTokens(t)
  const { id } = await addService(['system:user:list'])
  const rows: [method: 'POST' | 'PATCH', path: string, json: object, field: string][] = [
    ['PATCH', `/system/user/${id}`, { userType: 2 }, 'userType'],
    ['PATCH', `/system/user/${id}`, { phone: '13800138000' }, 'phone'],
    ['PATCH', `/system/user/${id}`, { email: 'job@example.com' }, 'email'],
    ['PATCH', `/system/user/${id}`, { password: userPassword }, 'password'],
    ['POST', `/system/user/${id}/password`, { password: userPassword }, 'password'],
    ['POST', `/system/user/${id}/invite`, {}, 'id'],
    ['POST', '/system/user', { username: 'job', userType: 3, password: userPassword }, 'password'],
    ['POST', '/system/user', { username: 'job', userType: 3, email: 'job@example.com' }, 'email'],
    ['PATCH', '/system/user/1', { userType: 3 }, 'userType'],
  ]
  for (const [method, path, json, field] of rows) {
    const answer = await server.call(method, path, { token: admin, json })
    if (path === '/system/user/1') expectProblem(t, answer, 'own_account')
    else expectProblem(t, answer, 'invalid_request', [field])
  }
  const login = await server.call('POST', '/auth/login', { json: { username: 'nightly', password: userPassword } })
  expectProblem(t, login, 'invalid_credentials')
  const shown = expectSuccess(t, await server.call('GET', `/system/user/${id}`, { token: admin }))
  t.match(shown, { userType: 3, hasWayIn: false, notInvitable: 'service_account', forcePasswordChange: false })
})

test('bad input makes no token', async (t) => {
  const { server, admin, make } = await startTokens(t)
  await server.operator.addRole('lister', 'Lister', ['system:user:list'])
  await server.addUser('alice', { roles: ['lister'] })
  const { accessToken: alice } = await server.signIn('alice')
  for (const permissions of [['*:*:*'], ['system:user:*'], ['system:user:list', 'system:role:list']])
    expectProblem(t, await make(alice, { permissions }), 'permission_denied')
  const rows: [json: object, field: string][] = [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ days: 0 }, 'days'],
    [{ days: 366 }, 'days'],
    [{ days: 1e9 }, 'days'],
    [{ days: null }, 'days'],
    [{ addresses: ['192.0.2.0/33'] }, 'addresses'],
    [{ addresses: ['example.com'] }, 'addresses'],
    [{ permissions: [] }, 'permissions'],
  ]
  for (const [json, field] of rows) {
    expectProblem(t, await make(admin, json), 'invalid_request', [field])
  }
  t.same(expectSuccess(t, await server.call('GET', '/auth/tokens', { token: admin })), [])
  t.same(expectSuccess(t, await server.call('GET', '/auth/tokens', { token: alice })), [])
  const answers = await Promise.all(Array.from({ length: 25 }, () => make(alice, { permissions: null })))
  t.equal(answers.filter(({ status }) => status === 200).length, 20)
  for (const answer of answers.filter(({ status }) => status !== 200)) expectProblem(t, answer, 'too_many_tokens')
})
