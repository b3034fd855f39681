import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startLinking } from '../../helpers/peers/linking.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'

const newPassword = 'violet umbrella stand'

/** The audit trail, latest first, as an administrator sees it. */
const trailOf = async (t: Test, server: TestServer) => {
  const token = (await server.signIn()).accessToken
  const answer = await server.call('GET', '/system/audit/page', { token, query: 'pageSize=100' })
  return expectSuccess(t, answer).records as Record<string, any>[]
}

test('what people change in their own account is in the trail, without the password', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const first = (await server.signIn('alice')).accessToken
  const token = (await server.signIn('alice')).accessToken
  const third = (await server.signIn('alice')).accessToken
  const sessions = expectSuccess(t, await server.call('GET', '/auth/sessions', { token }))
  const own = sessions.find((session: { current: boolean }) => session.current)
  const others = sessions.filter((session: { current: boolean }) => !session.current)
  t.equal(others.length, 2)

  expectSuccess(t, await server.call('DELETE', `/auth/sessions/${others[0].id}`, { token }))
  expectProblem(t, await server.call('DELETE', `/auth/sessions/${others[0].id}`, { token }), 'not_found')
  expectSuccess(t, await server.call('DELETE', '/auth/sessions', { token }))
  for (const ended of [first, third])
    expectProblem(t, await server.call('GET', '/auth/userInfo', { token: ended }), 'session_revoked')
  const change = (oldPassword: string) =>
    server.call('POST', '/auth/changePassword', { token, json: { oldPassword, newPassword } })
  expectProblem(t, await change('wrong'), 'invalid_credentials')
  expectSuccess(t, await change(userPassword))

  const rows = (await trailOf(t, server)).filter((row) => row['actorName'] === 'alice')
  t.same(
    rows.map((row) => row['action']),
    ['user.password', 'session.end', 'session.end'],
    'refused requests leave no row',
  )
  for (const row of rows) t.match(row, { actorId: id, source: 'api', address: '127.0.0.1', tenantId: 1 })
  t.same(
    rows
      .slice(1)
      .map((row) => row['targetId'])
      .sort(),
    others.map((session: { id: string }) => session.id).sort(),
  )
  t.notOk(rows.some((row) => row['targetId'] === own.id))
  t.notMatch(JSON.stringify(rows), new RegExp(`${newPassword}|${userPassword}|argon2`))
})

test('linked and unlinked identities are in the trail, without the account at the provider', async (t) => {
  const { server, join, linkIdentity, unlink } = await startLinking(t)
  const token = await join('anna')
  const linked = expectSuccess(t, await linkIdentity(token, 'secret-subject'))
  expectSuccess(t, await unlink(token, linked.id))
  const rows = (await trailOf(t, server)).filter((row) => row['actorName'] === 'anna')
  t.same(
    rows.map(({ action, before, after }) => ({ action, before, after })),
    [
      { action: 'identity.unlink', before: { identityId: linked.id, platform: 'corporate' }, after: null },
      { action: 'identity.link', before: null, after: { identityId: linked.id, platform: 'corporate' } },
    ],
  )
  t.notMatch(JSON.stringify(rows), /secret-subject/)
})
