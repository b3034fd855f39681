import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { createFrontEnd } from './front-end.js'
import { startServer, userPassword } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'

const start = async (t: Test) => {
  const server = await startServer(t)
  return { server, frontEnd: createFrontEnd(server, (await server.signIn()).accessToken) }
}

test('a user is disabled, enabled, and freed after wrong passwords', async (t) => {
  const { server, frontEnd } = await start(t)
  const { id } = await server.addUser('bob')
  const token = (await server.signIn('bob')).accessToken
  const status = async () => (await server.app.db.users.find(id))?.userStatus
  t.equal(expectSuccess(t, await frontEnd.query('/system/user/updateStatus', { id, status: 0 })), null)
  t.equal(await status(), 0)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')
  expectSuccess(t, await frontEnd.query('/system/user/updateStatus', { id, status: 1 }))
  t.equal(await status(), 1)
  expectProblem(t, await frontEnd.query('/system/user/updateStatus', { id, status: 7 }), 'invalid_request', ['status'])
  expectProblem(t, await frontEnd.query('/system/user/updateStatus', { id }), 'invalid_request', ['status'])
  const signIn = (password: string) => server.call('POST', '/auth/login', { json: { username: 'bob', password } })
  for (let tries = 0; tries < 40; tries += 1) await signIn('wrong')
  t.not((await signIn(userPassword)).status, 200)
  expectSuccess(t, await frontEnd.query('/system/user/updateStatus', { id, status: 0 }))
  expectSuccess(t, await frontEnd.query('/system/user/doUntieDisable', { id }))
  expectSuccess(t, await signIn(userPassword))
})

test('a password in the query is set, must be changed, and reaches no log', async (t) => {
  const { server, frontEnd } = await start(t)
  const { id } = await server.addUser('carol')
  const password = 'Unlogged+Phrase 47'
  expectSuccess(t, await frontEnd.query('/system/user/resetPwd', { id, password }))
  t.equal((await server.signIn('carol', password)).forcePasswordChange, true)
  const short = await frontEnd.query('/system/user/resetPwd', { id, password: 'Unlog7' })
  expectProblem(t, short, 'invalid_request', ['password'])
  t.match(short.body.message, /^Password must have at least 8 characters$/)
  expectProblem(t, await frontEnd.query('/system/user/resetPwd', { id: 999, password }), 'not_found', ['id'])
  // Also where nothing answers, and where the verb is another one.
  const query = { id, password }
  await frontEnd.get('/system/user/resetPwd', query)
  await frontEnd.query('/system/user/resetPwd/x', query)
  t.match(server.log(), /resetPwd/)
  t.notMatch(server.log(), /Unlogged|Unlog7|Phrase/)
})

test('users are deleted one by one and together', async (t) => {
  const { server, frontEnd } = await start(t)
  const ids: number[] = []
  for (const name of ['one', 'two', 'three']) ids.push((await server.addUser(name)).id)
  const [first = 0, ...others] = ids
  expectSuccess(t, await frontEnd.query('/system/user/remove', { id: first }))
  t.notOk(await server.app.db.users.find(first))
  const admin = (await server.app.db.users.findByUsername(1, 'admin'))?.id ?? 0
  const refused = await frontEnd.json('/system/user/removeBatch', [...others, admin])
  expectProblem(t, refused, 'invalid_request', ['ids.2'])
  t.match(refused.body.message, /^User no\. 3 is your own account$/)
  for (const id of others) t.ok(await server.app.db.users.find(id), 'all or nothing')
  for (const [json, fields] of [
    [[], ['body']],
    [['x'], ['0']],
    [{ ids: others }, ['body']],
  ] as const)
    expectProblem(t, await frontEnd.json('/system/user/removeBatch', json), 'invalid_request', [...fields])
  expectSuccess(t, await frontEnd.json('/system/user/removeBatch', others))
  for (const id of others) t.notOk(await server.app.db.users.find(id))
})

test('a click on a button without the permission says so and changes nothing', async (t) => {
  const { server } = await start(t)
  const { id } = await server.addUser('dave')
  const permissions = ['view', 'add', 'edit', 'delete', 'reset', 'contact', 'list'].map((name) => `system:user:${name}`)
  const before = await server.app.db.users.find(id)
  const record = { username: 'new', realName: 'New', password: userPassword }
  const rows: [string, (frontEnd: ReturnType<typeof createFrontEnd>) => Promise<any>][] = [
    ['system:user:add', (frontEnd) => frontEnd.json('/system/user/add', record)],
    ['system:user:view', (frontEnd) => frontEnd.nothing('/system/user/getById', { id })],
    ['system:user:edit', (frontEnd) => frontEnd.json('/system/user/edit', { id, realName: 'x' })],
    ['system:user:edit', (frontEnd) => frontEnd.query('/system/user/updateStatus', { id, status: 0 })],
    ['system:user:edit', (frontEnd) => frontEnd.query('/system/user/doUntieDisable', { id })],
    ['system:user:reset', (frontEnd) => frontEnd.query('/system/user/resetPwd', { id, password: userPassword })],
    ['system:user:delete', (frontEnd) => frontEnd.query('/system/user/remove', { id })],
    ['system:user:delete', (frontEnd) => frontEnd.json('/system/user/removeBatch', [id])],
    ['system:user:view', (frontEnd) => frontEnd.get(`/system/user/${id}/org-bindings`)],
    ['system:user:view', (frontEnd) => frontEnd.get(`/system/user/${id}/org-roles`)],
    ['system:user:edit', (frontEnd) => frontEnd.json(`/system/user/${id}/org-roles`, { orgId: 1, roleIds: [] })],
  ]
  for (const [index, [needed, click]] of rows.entries()) {
    const token = await signInAs(server, `without-${index}`, {
      userType: 1,
      permissions: permissions.filter((permission) => permission !== needed),
    })
    const answer = await click(createFrontEnd(server, token))
    expectProblem(t, answer, 'permission_denied')
    t.match(answer.body.message, /do not have the permission/)
  }
  t.same(await server.app.db.users.find(id), before)
  t.notOk(await server.app.db.users.findByUsername(1, 'new'))
})
