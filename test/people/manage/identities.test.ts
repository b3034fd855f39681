import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startLinking } from '../../helpers/peers/linking.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit } from './administrator.js'

test('an administrator sees the linked identities of a user and removes one, which ends its sessions', async (t) => {
  const { server, join, linkIdentity, enter, list } = await startLinking(t)
  const token = await join('anna')
  const linked = expectSuccess(t, await linkIdentity(token))
  const { accessToken: byIdentity } = expectSuccess(t, await enter())
  const { userId } = expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  const admin = (await server.signIn()).accessToken
  const path = `/system/user/${userId}/identities`
  t.same(expectSuccess(t, await server.call('GET', path, { token: admin })), [linked])
  expectProblem(t, await server.call('DELETE', `${path}/999`, { token: admin }), 'not_found')
  t.same(await list(token), [linked])
  t.equal(expectSuccess(t, await server.call('DELETE', `${path}/${linked.id}`, { token: admin })), null)
  t.same(expectSuccess(t, await server.call('GET', path, { token: admin })), [])
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: byIdentity }), 'session_revoked')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  expectProblem(t, await enter(), 'invalid_grant', ['socialTicket'])
  expectProblem(t, await server.call('DELETE', `${path}/${linked.id}`, { token: admin }), 'not_found')
  const [latest] = await audit(server, admin)
  t.match(latest, { action: 'identity.unlink', actorName: 'admin', targetName: 'anna' })
})

test('whose identities may be removed follows the rules of who changes whom', async (t) => {
  const { server, join, linkIdentity } = await startLinking(t)
  await server.operator.addTenant('Other')
  const token = await join('anna')
  const { id } = expectSuccess(t, await linkIdentity(token))
  const { userId } = expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  const path = `/system/user/${userId}/identities`
  const remove = (by: string, of = `${path}/${id}`) => server.call('DELETE', of, { token: by })
  const viewer = await signInAs(server, 'viewer', { permissions: ['system:user:view', 'system:user:list'] })
  const editor = await signInAs(server, 'editor', { permissions: ['system:user:edit'] })
  const other = await signInAs(server, 'other', { tenantId: 2, permissions: ['system:user:edit'] })
  for (const [by, reason] of [
    [viewer, 'permission_denied'],
    [other, 'not_found'],
  ] as const) {
    expectProblem(t, await server.call('GET', path, { token: by }), reason)
    expectProblem(t, await remove(by), reason)
  }
  expectProblem(t, await server.call('GET', path), 'token_missing')
  const admin = await server.app.db.users.findByUsername(1, 'admin')
  expectProblem(t, await remove(editor, `/system/user/${admin?.id}/identities/${id}`), 'permission_denied')
  const own = await server.app.db.users.findByUsername(1, 'editor')
  expectProblem(t, await remove(editor, `/system/user/${own?.id}/identities/${id}`), 'own_account')
  const bob = await server.addUser('bob')
  expectProblem(t, await remove(editor, `/system/user/${bob.id}/identities/${id}`), 'not_found')
  for (const wrong of [`${path}/x`, `${path}/0`]) expectProblem(t, await remove(editor, wrong), 'invalid_request')
  t.equal((await server.app.db.identities.ofUser(userId)).length, 1, 'still there')
  expectSuccess(t, await remove(editor))
})

test('a name at a provider that is a contact is masked without the permission for contacts', async (t) => {
  const { server, join, linkIdentity } = await startLinking(t)
  const token = await join('anna')
  expectSuccess(t, await linkIdentity(token))
  const { userId } = expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  const connection = { issuer: 'https://issuer.example.com', subject: 'x', platform: 'corporate', createTime: 1 }
  await server.app.db.identities.add({ ...connection, userId, tenantId: 1, displayName: 'anna@example.com' })
  const editor = await signInAs(server, 'editor', { permissions: ['system:user:edit'] })
  const answer = await server.call('GET', `/system/user/${userId}/identities`, { token: editor })
  t.same(expectSuccess(t, answer).map(({ displayName }: any) => displayName)[0], 'alice')
  t.notMatch(answer.text, 'anna@example.com')
  const admin = (await server.signIn()).accessToken
  t.match((await server.call('GET', `/system/user/${userId}/identities`, { token: admin })).text, 'anna@example.com')
})
