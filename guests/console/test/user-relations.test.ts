import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'

test('a user has no posts and one tenant, and a choice that changes nothing is accepted', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  const { id } = await server.addUser('alice')
  const { id: bob } = await server.addUser('bob')
  const { id: boss } = await server.addUser('boss', { tenantId: other.id, userType: 1 })
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const before = await server.app.db.users.find(id)
  const tenants = `/system/user/${id}/tenants`
  const tenant = { tenantId: 1, tenantName: 'Default', isDefault: 1, status: 1, memberType: 2 }
  t.strictSame(expectSuccess(t, await frontEnd.get(`/system/user/${id}/posts`)), [])
  t.strictSame(expectSuccess(t, await frontEnd.get(tenants)), [tenant])
  t.strictSame(expectSuccess(t, await frontEnd.get(`/system/user/${boss}/tenants`)), [
    { ...tenant, tenantId: other.id, tenantName: 'Other', memberType: 1 },
  ])
  const unchanged: [string, object][] = [
    [`/system/user/${id}/orgs`, { orgIds: [1], mainOrgId: 1 }],
    [tenants, { tenantIds: [1], defaultTenantId: 1, memberType: 2 }],
    ['/system/user/batch/tenants', { userIds: [id, bob], tenantId: 1, memberType: 2 }],
    ['/system/user/batch/tenants', { userIds: [boss], tenantId: other.id, memberType: 1 }],
  ]
  for (const [path, json] of unchanged) t.equal(expectSuccess(t, await frontEnd.json(path, json)), null, path)
  const oneTenant =
    /^Tenant cannot be changed here: a user belongs to one tenant for good, the one in which it was added\. Add a user in the other tenant instead$/
  const refused: [string, object, string, RegExp][] = [
    [`/system/user/${id}/orgs`, { orgIds: [1, 7], mainOrgId: 1 }, 'orgIds', /^Unit cannot be changed: a tenant is/],
    [`/system/user/${id}/orgs`, { orgIds: [], mainOrgId: 1 }, 'orgIds', /^Unit cannot/],
    [`/system/user/${id}/orgs`, { orgIds: [1], mainOrgId: 7 }, 'mainOrgId', /^Main unit cannot/],
    [tenants, { tenantIds: [1, other.id], defaultTenantId: 1, memberType: 2 }, 'tenantIds', oneTenant],
    [tenants, { tenantIds: [], memberType: 2 }, 'tenantIds', oneTenant],
    [tenants, { tenantIds: [1], defaultTenantId: other.id }, 'defaultTenantId', /^Default tenant cannot/],
    [tenants, { tenantIds: [1], memberType: 1 }, 'memberType', /^Type of the member cannot/],
    ['/system/user/batch/tenants', { userIds: [id, bob], tenantId: other.id, memberType: 2 }, 'tenantId', oneTenant],
    ['/system/user/batch/tenants', { userIds: [id, boss], tenantId: 1, memberType: 2 }, 'tenantId', oneTenant],
  ]
  for (const [path, json, field, message] of refused) {
    const answer = await frontEnd.json(path, json)
    expectProblem(t, answer, 'invalid_request', [field])
    t.match(answer.body.message, message)
  }
  const batch = (userIds: unknown) => frontEnd.json('/system/user/batch/tenants', { userIds, tenantId: 1 })
  const unknown = await batch([id, 999])
  expectProblem(t, unknown, 'not_found', ['userIds.1'])
  t.equal(unknown.body.message, 'User no. 2 does not exist any more')
  expectProblem(t, await batch([]), 'invalid_request', ['userIds'])
  t.same(await server.app.db.users.find(id), before, 'nothing was changed')
})

test('the relations of users of other tenants are not shown, and neither is whether such users exist', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  const { id } = await server.addUser('alice')
  const permissions = ['system:user:view', 'system:user:edit']
  const boss = createFrontEnd(server, await signInAs(server, 'boss', { tenantId: other.id, userType: 1, permissions }))
  const answersFor = async (user: number) => [
    await boss.get(`/system/user/${user}/tenants`),
    await boss.json(`/system/user/${user}/tenants`, { tenantIds: [1] }),
    await boss.json(`/system/user/${user}/orgs`, { orgIds: [1] }),
    await boss.json('/system/user/batch/tenants', { userIds: [user], tenantId: 1 }),
  ]
  const messages = async (user: number) => {
    const answers = await answersFor(user)
    for (const answer of answers) {
      expectProblem(t, answer, 'not_found')
      t.notMatch(answer.text, /Default|alice/)
    }
    return answers.map(({ body }) => body.message)
  }
  t.same(await messages(id), await messages(999))
  const nobody = createFrontEnd(server, await signInAs(server, 'nobody'))
  expectProblem(t, await nobody.get(`/system/user/${id}/tenants`), 'permission_denied')
  for (const path of [`/system/user/${id}/tenants`, `/system/user/${id}/orgs`])
    expectProblem(t, await nobody.json(path, {}), 'permission_denied')
  const batch = { userIds: [id], tenantId: 1 }
  expectProblem(t, await nobody.json('/system/user/batch/tenants', batch), 'permission_denied')
})

test('every dialog about the tenant of a user says the same, and sends nobody to another one', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  const { id } = await server.addUser('alice')
  const { accessToken: token } = await server.signIn()
  const sentences = {
    en: 'cannot be changed here: a user belongs to one tenant for good, the one in which it was added. Add a user in the other tenant instead',
    'zh-CN': '不能修改：用户只属于添加时所选的租户，之后不能更换；如需更换，请在另一租户中新增用户',
  }
  for (const [language, sentence] of Object.entries(sentences)) {
    const frontEnd = createFrontEnd(server, token, { 'accept-language': language })
    const answers = [
      await frontEnd.json('/system/user/edit', { id, tenantId: other.id }),
      await frontEnd.json('/system/user/edit', { id, tenantIds: [other.id] }),
      await frontEnd.json(`/system/user/${id}/tenants`, { tenantIds: [other.id] }),
      await frontEnd.json(`/system/user/${id}/tenants`, { defaultTenantId: other.id }),
      await frontEnd.json('/system/user/batch/tenants', { userIds: [id], tenantId: other.id }),
    ]
    for (const answer of answers) {
      expectProblem(t, answer, 'invalid_request')
      t.ok(answer.body.message.endsWith(sentence), answer.body.message)
      t.notMatch(answer.body.message, /form of the user|用户表单/)
    }
  }
  // What the sentence advises can be done.
  const frontEnd = createFrontEnd(server, token)
  const form = { username: 'alice', realName: 'Alice', password: 'violet umbrella stand', tenantId: other.id }
  expectSuccess(t, await frontEnd.json('/system/user/add', form))
})
