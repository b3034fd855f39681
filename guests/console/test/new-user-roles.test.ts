import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer, userPassword } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'

const rolesOfNewUsers = { systemAdmin: ['admin'], tenantAdmin: ['boss', 'clerk'], user: [] }
const form = (username: string, more: object = {}) => ({
  username,
  realName: username,
  password: userPassword,
  ...more,
})

test('users whom the front end adds get the roles that the setting names for their type', async (t) => {
  const server = await startServer(t, { settings: { compat: { rolesOfNewUsers } } })
  await server.operator.addRole('boss', 'Boss', ['system:*:*'])
  await server.operator.addRole('clerk', 'Clerk', ['page:text:read'])
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const rows: [name: string, fields: object, roles: string[], pages: number][] = [
    ['root', { userType: 0 }, ['admin'], 3],
    ['head', { userType: 1 }, ['boss', 'clerk'], 3],
    ['user', { userType: 2 }, [], 0],
    ['none', { userType: null }, [], 0],
  ]
  for (const [name, fields, roles, pages] of rows) {
    expectSuccess(t, await frontEnd.json('/system/user/add', form(name, fields)))
    const token = (await server.signIn(name)).accessToken
    const user = expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    t.same([...user.roleKeys].sort(), roles, name)
    const [folder] = expectSuccess(t, await createFrontEnd(server, token).get('/auth/current/menu'))
    t.equal(folder?.children.length ?? 0, pages, name)
  }
  const own = await server.call('POST', '/system/user', {
    token: (await server.signIn()).accessToken,
    json: form('own', { userType: 1 }),
  })
  t.same(expectSuccess(t, own).roleKeys, [], 'our own request names the roles itself')
})

test('a role that the tenant does not have is refused with its name and the setting, and nobody is added', async (t) => {
  const server = await startServer(t, { settings: { compat: { rolesOfNewUsers } } })
  await server.operator.addRole('clerk', 'Clerk', [])
  const { accessToken: token } = await server.signIn()
  const rows = [
    [
      'en',
      /^Type of the user cannot be given in this tenant, which has no role boss: .*compat\.rolesOfNewUsers\.tenantAdmin$/,
    ],
    ['zh-CN', /^用户类型在该租户中不能使用：租户没有角色 boss，.*compat\.rolesOfNewUsers\.tenantAdmin$/],
  ] as const
  for (const [language, text] of rows) {
    const frontEnd = createFrontEnd(server, token, { 'accept-language': language })
    const answer = await frontEnd.json('/system/user/add', form('head', { userType: 1 }))
    expectProblem(t, answer, 'invalid_request', ['userType'])
    t.match(answer.body.message, text)
  }
  t.notOk(await server.app.db.users.findByUsername(1, 'head'))
  const frontEnd = createFrontEnd(server, token)
  expectSuccess(t, await frontEnd.json('/system/user/add', form('user')))
  const faults = await frontEnd.json('/system/user/add', form('user', { userType: 1, tenantId: 99 }))
  expectProblem(t, faults, 'invalid_request', ['tenantId'])
})

test('nobody gives more by the setting than by the choice of roles', async (t) => {
  const settings = { compat: { rolesOfNewUsers: { user: ['admin'] } } }
  const server = await startServer(t, { settings })
  const weak = createFrontEnd(server, await signInAs(server, 'weak', { permissions: ['system:user:add'] }))
  const answer = await weak.json('/system/user/add', form('new'))
  expectProblem(t, answer, 'invalid_request', ['userType'])
  t.equal(answer.body.message, 'Type of the user is more than you may give')
  t.notOk(await server.app.db.users.findByUsername(1, 'new'))
})

test('a setting that names no roles stops the start, and an absent one gives none', async (t) => {
  for (const wrong of [{ systemAdmin: 'admin' }, { systemAdmin: [''] }, { systemAdmin: ['a', 'a'] }, { boss: ['a'] }])
    await t.rejects(startServer(t, { settings: { compat: { rolesOfNewUsers: wrong as never } } }), {
      message: /compat\.rolesOfNewUsers/,
    })
  const server = await startServer(t)
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  expectSuccess(t, await frontEnd.json('/system/user/add', form('root', { userType: 0 })))
  const token = (await server.signIn('root')).accessToken
  t.strictSame(expectSuccess(t, await createFrontEnd(server, token).get('/auth/current/menu')), [])
})
