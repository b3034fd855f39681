import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { userPassword } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit, startWithAdministrator } from './administrator.js'

test('changes act at once in live sessions', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  await server.operator.addRole('lister', 'Lister', ['system:user:list'])
  const { id } = await server.addUser('dave')
  const own = (await server.signIn('dave')).accessToken
  const list = () => server.call('GET', '/system/user/page', { token: own })
  expectProblem(t, await list(), 'permission_denied')
  expectSuccess(t, await server.call('PUT', `/system/user/${id}/roles`, { token, json: { roleKeys: ['lister'] } }))
  expectSuccess(t, await list())
  expectSuccess(t, await server.call('PUT', `/system/user/${id}/roles`, { token, json: { roleKeys: [] } }))
  expectProblem(t, await list(), 'permission_denied')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/disable`, { token }))
  expectProblem(t, await list(), 'session_revoked')
  expectProblem(
    t,
    await server.call('POST', '/auth/login', { json: { username: 'dave', password: userPassword } }),
    'account_disabled',
  )
  expectSuccess(t, await server.call('POST', `/system/user/${id}/disable`, { token }))
  const disabled = (await audit(server, token)).filter(({ action }) => action === 'user.disable')
  t.equal(disabled.length, 1, 'the repetition is not recorded')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/enable`, { token }))
  const again = (await server.signIn('dave')).accessToken
  const json = { password: 'another long phrase' }
  expectSuccess(t, await server.call('POST', `/system/user/${id}/password`, { token, json }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: again }), 'session_revoked')
  t.equal((await server.signIn('dave', 'another long phrase')).forcePasswordChange, true)
  t.notMatch(server.log(), /another long phrase/)
})

test('a deleted user is gone, its name is free, and the trail keeps the id', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  const { id } = await server.addUser('erin', { email: 'erin@example.com' })
  const own = (await server.signIn('erin')).accessToken
  expectSuccess(t, await server.call('DELETE', `/system/user/${id}`, { token }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: own }), 'session_expired')
  expectProblem(t, await server.call('GET', `/system/user/${id}`, { token }), 'not_found')
  expectSuccess(t, await server.call('DELETE', `/system/user/${id}`, { token }))
  expectProblem(t, await server.call('DELETE', '/system/user/99999', { token }), 'not_found')
  const rows = (await audit(server, token)).filter(({ action }) => action === 'user.delete')
  t.equal(rows.length, 1)
  t.match(rows[0], { targetId: String(id), targetName: 'erin', before: { email: 'erin@example.com' }, after: null })
  const again = await server.addUser('erin', { email: 'erin@example.com' })
  t.not(again.id, id)
})

test('unlock ends the pause after failed sign-ins', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  const { id } = await server.addUser('fred')
  const guess = (password: string) => server.call('POST', '/auth/login', { json: { username: 'fred', password } })
  for (let tries = 0; tries < 40; tries += 1) await guess('wrong')
  t.not((await guess(userPassword)).status, 200, 'paused')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/unlock`, { token }))
  expectSuccess(t, await guess(userPassword))
})

test('an unlock of somebody without failed sign-ins answers as before and leaves no row', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  const { id } = await server.addUser('greta', { email: 'greta@example.com' })
  const unlock = async () => expectSuccess(t, await server.call('POST', `/system/user/${id}/unlock`, { token }))
  const rows = async () => (await audit(server, token)).filter(({ action }) => action === 'user.unlock').length
  const fail = (username: string) => server.call('POST', '/auth/login', { json: { username, password: 'wrong' } })
  for (let time = 0; time < 3; time++) t.equal(await unlock(), null)
  const json = { ids: [id], action: 'unlock' }
  t.same(expectSuccess(t, await server.call('POST', '/system/user/batch', { token, json })), {
    invited: 0,
    withPassword: [],
    recentlyInvited: [],
  })
  t.equal(await rows(), 0)

  for (let tries = 0; tries < 40; tries++) await fail('GRETA')
  for (let time = 0; time < 3; time++) t.equal(await unlock(), null)
  t.equal(await rows(), 1, 'once for the failures of the user name')
  await server.app.db.users.change(id, { userStatus: 2 }, server.clock.now())
  for (let time = 0; time < 3; time++) t.equal(await unlock(), null)
  t.equal(await rows(), 2, 'once for the status')
  t.equal((await server.app.db.users.find(id))?.userStatus, 1)
})

test('a batch gives a role to those who lack it', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  await server.operator.addRole('editor', 'Editor', ['report:daily:read'])
  await server.operator.addRole('reader', 'Reader', ['report:daily:read'])
  await server.operator.addRole('operator', 'Operator', ['*:*:*'])
  const { id: alice } = await server.addUser('alice', { roles: ['reader'] })
  const { id: bob } = await server.addUser('bob', { roles: ['editor'] })
  const give = (json: object, as = token) =>
    server.call('POST', '/system/user/batch', { token: as, json: { ids: [alice, bob], action: 'addRole', ...json } })
  const roles = async (id: number) => (await server.app.db.roles.grantsOf(id)).roleKeys.toSorted()
  const rows = async () => (await audit(server, token)).filter(({ action }) => action === 'user.roles')
  const before = (await rows()).length

  expectProblem(t, await give({}), 'invalid_request', ['roleKey'])
  expectProblem(t, await give({ roleKey: 'nobody' }), 'invalid_request', ['roleKey'])
  expectProblem(t, await give({ roleKey: 'editor', action: 'enable' }), 'invalid_request', ['roleKey'])
  expectProblem(t, await give({ roleKey: 'editor', ids: [alice, 99_999] }), 'invalid_request', ['ids.1'])
  const editor = await signInAs(server, 'eve', { permissions: ['system:user:edit'] })
  expectProblem(t, await give({ roleKey: 'operator' }, editor), 'invalid_request', ['ids.0', 'ids.1'])
  t.same(await roles(alice), ['reader'])

  expectSuccess(t, await give({ roleKey: 'editor' }))
  t.same([await roles(alice), await roles(bob)], [['editor', 'reader'], ['editor']])
  const [row, ...others] = (await rows()).slice(0, (await rows()).length - before)
  t.equal(others.length, 0, 'who has it already is not recorded')
  t.match(row, { targetId: String(alice) })
  expectSuccess(t, await give({ roleKey: 'editor' }))
  t.equal((await rows()).length, before + 1)
})

test('a batch is done for all or for nobody', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  const ids: number[] = []
  for (let index = 0; index < 30; index += 1) ids.push((await server.addUser(`many-${index}`)).id)
  const [first = 0, second = 0] = ids
  const admin = (await server.app.db.users.findByUsername(1, 'admin'))?.id ?? 0
  const batch = (list: unknown, action = 'disable') =>
    server.call('POST', '/system/user/batch', { token, json: { ids: list, action } })
  expectProblem(t, await batch([first, 99_999, second, admin]), 'invalid_request', ['ids.1', 'ids.3'])
  t.equal((await server.app.db.users.find(first))?.userStatus, 1)
  const refused: [unknown, string, string[]][] = [
    [[], 'disable', ['ids']],
    [[1, 1], 'disable', ['ids']],
    [Array.from({ length: 1001 }, (_, index) => index + 1), 'disable', ['ids']],
    [['x'], 'disable', ['ids.0']],
    [first, 'disable', ['ids']],
    [[first], 'promote', ['action']],
  ]
  for (const [list, action, fields] of refused) expectProblem(t, await batch(list, action), 'invalid_request', fields)
  expectSuccess(t, await batch(ids))
  for (const id of ids) t.equal((await server.app.db.users.find(id))?.userStatus, 0)
  expectSuccess(t, await batch(ids, 'delete'))
  for (const id of ids) t.equal(await server.app.db.users.find(id), undefined)
  const editor = await signInAs(server, 'editor', { userType: 1, permissions: ['system:user:edit'] })
  const { id } = await server.addUser('left')
  const json = { ids: [id], action: 'delete' }
  expectProblem(t, await server.call('POST', '/system/user/batch', { token: editor, json }), 'permission_denied')
})
