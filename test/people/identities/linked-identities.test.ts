import { test } from 'tap'
import { tally } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import type { Place } from '../../helpers/peers/federation.js'
import { startLinking as start } from '../../helpers/peers/linking.js'
import { userPassword } from '../../helpers/service/server.js'

test('whoever links an identity signs in by it until it is unlinked', async (t) => {
  const { server, join, linkIdentity, list, unlink, enter } = await start(t)
  const token = await join('anna')
  expectProblem(t, await enter(), 'invalid_grant', ['socialTicket'])
  t.same(await list(token), [])

  const linked = expectSuccess(t, await linkIdentity(token))
  t.match(linked, {
    platform: 'corporate',
    platformName: 'corporate',
    displayName: 'alice',
    linkTime: server.clock.now(),
  })
  t.same(Object.keys(linked).sort(), ['displayName', 'id', 'linkTime', 'platform', 'platformName'])
  t.same(await list(token), [linked])
  t.equal(expectSuccess(t, await enter()).userInfo.username, 'anna')
  expectProblem(t, await enter('bob'), 'invalid_grant', ['socialTicket'])

  t.equal(expectSuccess(t, await unlink(token, linked.id)), null)
  t.same(await list(token), [])
  expectProblem(t, await enter(), 'invalid_grant', ['socialTicket'])
  expectProblem(t, await unlink(token, linked.id), 'not_found')
})

test('O4: an identity is linked only with proof of it, of this place and not used', async (t) => {
  const { server, join, link, list, ticketOf, signIn } = await start(t)
  const second = await server.operator.addTenant('Second')
  const token = await join('anna')
  const ticketHere = (subject: string, place: Place = {}) => ticketOf(subject, 'corporate', { ...place, token })
  const used = await ticketHere('used')
  await signIn({ authType: 'social', socialTicket: used })
  const linked = await ticketHere('linked')
  expectSuccess(t, await link(token, linked))
  const late = await ticketHere('late')
  server.clock.advance(120)
  const rows = [
    { name: 'a ticket of another tenant', ticket: await ticketHere('alice', { tenantId: second.id }) },
    { name: 'a ticket of another client', ticket: await ticketHere('alice', { userClient: 'h5' }) },
    { name: 'a ticket that was used to sign in', ticket: used },
    { name: 'a ticket that was used to link', ticket: linked },
    { name: 'a ticket of two minutes ago', ticket: late },
    { name: 'a ticket that nobody made', ticket: '0'.repeat(64) },
    { name: 'no ticket', ticket: 'x' },
  ]
  for (const { name, ticket } of rows) {
    t.comment(name)
    expectProblem(t, await link(token, ticket), 'invalid_grant')
    expectProblem(t, await signIn({ authType: 'social', socialTicket: ticket }), 'invalid_grant')
  }
  t.equal((await list(token)).length, 1)
})

test('O4: an identity belongs to one account of a tenant, whoever comes second', async (t) => {
  const { join, link, linkIdentity, list, ticketOf, enter } = await start(t)
  const anna = await join('anna')
  const ben = await join('ben')
  const first = expectSuccess(t, await linkIdentity(anna))
  expectProblem(t, await linkIdentity(ben), 'invalid_request', ['socialTicket'])
  t.same(await list(ben), [])
  t.equal(expectSuccess(t, await enter()).userInfo.username, 'anna')

  const again = expectSuccess(t, await linkIdentity(anna))
  t.same(again, first, 'to link again changes nothing')
  t.same(await list(anna), [first])

  const callers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? anna : ben))
  const tickets = await Promise.all(callers.map((token) => ticketOf('carol', 'corporate', { token })))
  const answers = await Promise.all(tickets.map((ticket, index) => link(callers[index] ?? '', ticket)))
  const owners = [await list(anna), await list(ben)].map(
    (all) => all.filter((one) => one.displayName === 'carol').length,
  )
  t.same(owners.sort(), [0, 1], 'of two at the same moment one gets it')
  t.same(tally(answers), { 200: 5, invalid_request: 5 })
})

test('nobody unlinks what is linked to somebody else', async (t) => {
  const { join, linkIdentity, list, unlink, enter } = await start(t)
  const anna = await join('anna')
  const ben = await join('ben')
  const { id } = expectSuccess(t, await linkIdentity(anna))
  expectSuccess(t, await linkIdentity(ben, 'bob'))
  expectProblem(t, await unlink(ben, id), 'not_found')
  expectProblem(t, await unlink(ben, 999), 'not_found')
  t.equal((await list(anna)).length, 1)
  t.equal((await list(ben)).length, 1)
  t.equal(expectSuccess(t, await enter()).userInfo.username, 'anna')
})

test('the only way in to an account is not unlinked', async (t) => {
  const { server, linkIdentity, list, unlink, enter } = await start(t, {})
  const { accessToken: token, userInfo } = expectSuccess(t, await enter())
  const [only] = await list(token)
  if (!only) throw new Error('nothing is linked')
  expectProblem(t, await unlink(token, only.id), 'invalid_request', ['id'])
  t.equal(expectSuccess(t, await enter()).userInfo.userId, userInfo.userId)

  const other = expectSuccess(t, await linkIdentity(token, 'alice-at-home'))
  expectSuccess(t, await unlink(token, only.id))
  expectProblem(t, await unlink(token, other.id), 'invalid_request', ['id'])
  const there = expectSuccess(t, await enter('alice-at-home'))
  t.equal(there.userInfo.userId, userInfo.userId)

  await server.operator.setPassword(userInfo.username, userPassword, { forcePasswordChange: false })
  const { accessToken } = await server.signIn(userInfo.username)
  expectSuccess(t, await unlink(accessToken, other.id))
  t.same(await list(accessToken), [])
})

test('of two ways in that are unlinked at the same moment one remains', async (t) => {
  const { linkIdentity, list, unlink, enter } = await start(t, {})
  const { accessToken: token } = expectSuccess(t, await enter())
  expectSuccess(t, await linkIdentity(token, 'alice-at-home'))
  const answers = await Promise.all((await list(token)).map(({ id }) => unlink(token, id)))
  t.same(tally(answers), { 200: 1, invalid_request: 1 })
  t.equal((await list(token)).length, 1)
})

test('links are for whoever is signed in and need not change the password first', async (t) => {
  const { server, unlink, ticketOf } = await start(t)
  const socialTicket = await ticketOf()
  const calls = (more: { token?: string }) => [
    server.call('GET', '/social/bind', more),
    server.call('POST', '/social/bind', { json: { socialTicket }, ...more }),
    server.call('DELETE', '/social/bind/1', more),
  ]
  for (const answer of await Promise.all(calls({}))) {
    expectProblem(t, answer, 'token_missing')
    t.equal(answer.headers.get('www-authenticate'), 'Bearer realm="rollcall"')
  }
  for (const answer of await Promise.all(calls({ token: 'x.y.z' }))) expectProblem(t, answer, 'token_invalid')
  await server.addUser('newcomer', { forcePasswordChange: true })
  const { accessToken: token } = await server.signIn('newcomer')
  for (const answer of await Promise.all(calls({ token }))) expectProblem(t, answer, 'password_change_required')
  await server.call('POST', '/auth/logout', { token })
  expectProblem(t, await unlink(token, 1), 'session_revoked')
})

test('two tenants link the same identity, each to an account of its own', async (t) => {
  const { server, join, linkIdentity, list, unlink, enter } = await start(t)
  const { id: tenantId } = await server.operator.addTenant('Second')
  const here = await join('anna')
  const there = await join('anna', { tenantId })
  const first = expectSuccess(t, await linkIdentity(here))
  expectProblem(t, await enter('alice', 'corporate', { tenantId }), 'invalid_grant', ['socialTicket'])
  expectSuccess(t, await linkIdentity(there, 'alice', { tenantId }))

  const one = expectSuccess(t, await enter()).userInfo
  const other = expectSuccess(t, await enter('alice', 'corporate', { tenantId })).userInfo
  t.same([one.tenantId, other.tenantId], [1, tenantId])
  t.not(one.userId, other.userId)

  expectProblem(t, await unlink(there, first.id), 'not_found')
  expectSuccess(t, await unlink(here, first.id))
  expectProblem(t, await enter(), 'invalid_grant', ['socialTicket'])
  t.equal((await list(there)).length, 1)
  expectSuccess(t, await enter('alice', 'corporate', { tenantId }))
})

test('a disabled user or tenant is told so only after the proof, and nobody new is made there', async (t) => {
  const { server, enter, signIn, countUsers } = await start(t, {})
  const { operator } = server
  const { id: tenantId } = await operator.addTenant('Second')
  const place = { tenantId }
  const wrong = { authType: 'social', socialTicket: '0'.repeat(64) }
  const { accessToken: here, userInfo } = expectSuccess(t, await enter())
  const { accessToken: there } = expectSuccess(t, await enter('alice', 'corporate', place))
  t.equal(await countUsers(), 3)

  await operator.setEnabled(userInfo.username, false)
  expectProblem(t, await enter(), 'account_disabled')
  expectProblem(t, await signIn(wrong), 'invalid_grant')
  expectProblem(t, await server.call('GET', '/social/bind', { token: here }), 'session_revoked')

  await operator.setTenantEnabled(tenantId, false)
  expectProblem(t, await enter('alice', 'corporate', place), 'tenant_disabled')
  expectProblem(t, await enter('a stranger', 'corporate', place), 'tenant_disabled')
  expectProblem(t, await enter('a stranger', 'corporate', { tenantId: 999 }), 'tenant_disabled')
  expectProblem(t, await signIn({ ...wrong, ...place }), 'invalid_grant')
  expectProblem(t, await server.call('GET', '/social/bind', { token: there }), 'session_revoked')
  t.equal(await countUsers(), 3, 'nobody was made')

  await operator.setEnabled(userInfo.username, true)
  await operator.setTenantEnabled(tenantId, true)
  t.equal(expectSuccess(t, await enter()).userInfo.userId, userInfo.userId)
  expectSuccess(t, await enter('alice', 'corporate', place))
})

test('a provider of some tenants is neither offered to others nor accepted from them', async (t) => {
  const { server, begin, visit, callback, signIn, enter, provider, countUsers } = await start(t, {
    platforms: { corporate: {} },
    provider: { tenants: [2] },
  })
  const { id: tenantId } = await server.operator.addTenant('Second')
  t.equal(tenantId, 2)
  const query = { tenantId }
  const offered = async (options: object) => [
    expectSuccess(t, await server.call('GET', '/social/platforms', options)).length as number,
    expectSuccess(t, await server.call('GET', '/auth/loginConfig', options)).socialPlatforms.length as number,
  ]
  t.same(await offered({ query }), [1, 1])
  t.same(await offered({}), [0, 0])
  t.same(await offered({ query: { tenantId: 1 } }), [0, 0])
  expectProblem(t, await begin(), 'invalid_request', ['platform'])
  expectProblem(t, await begin('corporate', { query: { tenantId: 3 } }), 'invalid_request', ['platform'])

  for (const elsewhere of [{}, { tenantId: 1 }, { tenantId: 3 }]) {
    expectProblem(
      t,
      await callback({ ...(await visit('alice', 'corporate', { query })), ...elsewhere }),
      'invalid_grant',
    )
    const { code: authCode, state } = await visit('alice', 'corporate', { query })
    expectProblem(t, await signIn({ authType: 'oauth2', authCode, state, ...elsewhere }), 'invalid_grant')
  }
  t.same(
    provider('corporate').received.filter(({ url }) => url === '/token'),
    [],
  )
  t.equal(await countUsers(), 1)
  expectSuccess(t, await enter('alice', 'corporate', { tenantId }))
})

test('a sign-in that begins without a tenant ends only where the provider is open', async (t) => {
  const { server, visit, callback } = await start(t, { provider: { tenants: [1] } })
  const { id: tenantId } = await server.operator.addTenant('Second')
  expectProblem(t, await callback({ ...(await visit()), tenantId }), 'invalid_grant')
  expectSuccess(t, await callback({ ...(await visit()), tenantId: 1 }))
})
