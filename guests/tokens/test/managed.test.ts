import { test } from 'tap'
import { startThree } from '../../../test/helpers/processes/three-processes.js'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { tally } from '../../../test/helpers/values/compare.js'
import { startTokens } from './start-tokens.js'

test('administrators make tokens of service accounts that they may change, and end those of people', async (t) => {
  const { server, admin, make, addService, makeFor, get } = await startTokens(t)
  const { operator } = server
  const { id } = await addService(['system:user:list', 'system:role:list'])
  const tokenRights = ['system:token:list', 'system:token:add', 'system:token:remove']
  await operator.addRole('keeper', 'Keeper', [...tokenRights, 'system:user:list', 'system:role:list'])
  await operator.addRole('less', 'Less', tokenRights)
  const keeper = await server.addUser('keeper', { roles: ['keeper'] })
  await server.addUser('less', { roles: ['less'] })
  await server.addUser('alice')
  const { accessToken: asKeeper } = await server.signIn('keeper')
  const { accessToken: asLess } = await server.signIn('less')
  const { accessToken: alice } = await server.signIn('alice')
  const aliceId = (await server.app.db.users.findByUsername(1, 'alice'))?.id ?? 0

  const made = expectSuccess(t, await makeFor(id, { permissions: ['system:user:list'] }, asKeeper))
  expectSuccess(t, await get('/system/user/page', made.token))
  expectProblem(t, await makeFor(id, { permissions: ['system:token:list'] }, asKeeper), 'permission_denied')
  expectProblem(t, await makeFor(id, {}, asLess), 'permission_denied')
  expectProblem(t, await makeFor(id, {}, alice), 'permission_denied')
  expectProblem(t, await makeFor(keeper.id, {}, asKeeper), 'own_account')
  expectProblem(t, await makeFor(1, {}, asKeeper), 'permission_denied')
  expectProblem(t, await makeFor(aliceId, {}), 'invalid_request', ['id'])
  expectProblem(t, await makeFor(999_999), 'not_found')
  const toService = await server.call('PATCH', `/system/user/${aliceId}`, { token: admin, json: { userType: 3 } })
  expectProblem(t, toService, 'invalid_request', ['userType'])
  expectProblem(t, await makeFor(id, {}, made.token), 'token_not_allowed')

  const own = expectSuccess(t, await make(alice, { permissions: null }))
  const end = (owner: number, tokenId: string, token: string) =>
    server.call('DELETE', `/system/user/${owner}/tokens/${tokenId}`, { token })
  expectProblem(t, await end(id, own.id, admin), 'not_found')
  expectProblem(t, await end(id, made.id, asLess), 'permission_denied')
  t.match(expectSuccess(t, await get(`/system/user/${aliceId}/tokens`, asKeeper)), [{ id: own.id }])
  expectSuccess(t, await end(aliceId, own.id, asKeeper))
  expectProblem(t, await get('/auth/userInfo', own.token), 'token_ended')
  expectProblem(t, await end(aliceId, own.id, asKeeper), 'not_found')
})

test('who manages one tenant sees and ends no token of another, and learns nothing of it', async (t) => {
  const { server, admin, addService, makeFor, get } = await startTokens(t)
  const { operator } = server
  const { id } = await addService(['system:user:list'])
  const made = expectSuccess(t, await makeFor(id))
  const { id: tenantId } = await operator.addTenant('Other')
  await operator.addRole('head', 'Head', ['*:*:*'], tenantId)
  await server.addUser('head', { tenantId, userType: 1, roles: ['head'] })
  const { accessToken: head } = await server.signIn('head', undefined, { tenantId })
  for (const path of [`/system/user/${id}/tokens`, '/system/user/999999/tokens'])
    expectProblem(t, await get(path, head), 'not_found')
  expectProblem(t, await makeFor(id, {}, head), 'not_found')
  const gone = await server.call('DELETE', `/system/user/${id}/tokens/${made.id}`, { token: head })
  expectProblem(t, gone, 'not_found')
  for (const query of ['', '?tenantId=1', `?userId=${id}`, '?keyword=nightly'])
    t.equal(expectSuccess(t, await get(`/system/token/page${query}`, head)).total, 0, query)
  t.equal(expectSuccess(t, await get('/system/token/page', admin)).total, 1)
})

test('the page of all tokens is filtered by owner, end and use', async (t) => {
  const { server, admin, make, addService, makeFor, get } = await startTokens(t)
  const { id } = await addService(['system:user:list'])
  expectSuccess(t, await make(admin, { name: 'own', days: 7 }))
  server.clock.advance(1)
  const job = expectSuccess(t, await makeFor(id, { name: 'job', days: 365 }))
  server.clock.advance(24 * 3600)
  expectSuccess(t, await get('/auth/userInfo', job.token))
  const { accessToken } = await server.signIn()
  const names = async (query: string) =>
    (expectSuccess(t, await get(`/system/token/page?${query}`, accessToken)).records as { name: string }[]).map(
      ({ name }) => name,
    )
  const now = new Date(server.clock.now()).toISOString()
  const later = new Date(server.clock.now() + 30 * 24 * 3600_000).toISOString()
  t.same(await names(''), ['job', 'own'])
  t.same(await names('keyword=NIGHT'), ['job'])
  t.same(await names(`userId=${id}`), ['job'])
  t.same(await names(`expiresBefore=${later}`), ['own'])
  t.same(await names(`unusedSince=${now}`), ['own'])
  t.same(await names('pageNum=2&pageSize=1'), ['own'])
  t.same(await names('tenantId=1'), ['job', 'own'])
  t.same(await names('tenantId=999'), [])
  expectProblem(t, await get('/system/token/page?expiresBefore=soon', accessToken), 'invalid_request', [
    'expiresBefore',
  ])
  const { records } = expectSuccess(t, await get('/system/token/page?keyword=nightly', accessToken))
  t.match(records[0], { userId: id, username: 'nightly', userType: 3, tenantId: 1, lastUsedIp: '127.0.0.1' })
})

test('never more tokens than the bound, however many processes are asked at once', async (t) => {
  const three = await startThree(t)
  await three.operator.addUser({ username: 'job', userType: 3, forcePasswordChange: false })
  const { id } = (await three.db.users.findByUsername(1, 'job')) ?? { id: 0 }
  const token = await three.signIn(0, 'admin')
  const path = `/system/user/${id}/tokens`
  const answers = await three.spread(120, (server, index) =>
    server.call('POST', path, { token, json: { name: `n${index}` } }),
  )
  t.same(tally(answers), { 200: 100, too_many_tokens: 20 })
  t.equal(expectSuccess(t, await three.at(1).call('GET', path, { token })).length, 100)
})
