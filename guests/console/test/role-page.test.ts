import { test } from 'tap'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { createFrontEnd } from './front-end.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'

const query = { pageNum: 1, pageSize: 10, orgId: 1, tenantId: 1 }

test('one page of roles has the shapes of both front ends', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  const editor = await server.operator.addRole('editor', 'Editor', ['page:text:edit'])
  await server.operator.addRole('foreign', 'Foreign', [], other.id)
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const page = async (more: object) => expectSuccess(t, await frontEnd.get('/system/role/page', { ...query, ...more }))
  const all = await page({})
  t.same([all.total, all.records.length], [2, 2])
  const found = await page({ roleName: 'edit' })
  t.equal(found.total, 1)
  const shape = { id: editor.id, roleName: 'Editor', roleKey: 'editor', roleType: 1, dataScope: 1, roleStatus: 1 }
  t.match(found.records[0], { ...shape, key: 'editor', name: 'Editor', permissions: ['page:text:edit'] })
  t.equal((await page({ orgId: other.id, tenantId: '' })).records[0].roleKey, 'foreign')
  t.equal((await page({ orgId: other.id })).total, 0, 'in another tenant than its unit is nothing')
  t.equal((await page({ orgId: 99, tenantId: '' })).total, 0)
  const permissions = ['system:role:list']
  const boss = createFrontEnd(server, await signInAs(server, 'boss', { tenantId: other.id, userType: 1, permissions }))
  t.equal(expectSuccess(t, await boss.get('/system/role/page', query)).total, 0)
  const own = { ...query, orgId: other.id, tenantId: other.id }
  t.same(
    expectSuccess(t, await boss.get('/system/role/page', own)).records.map((role: any) => role.tenantId),
    [2, 2],
  )
})

test('without the setting, the page of roles has no units and no second names', async (t) => {
  const server = await startServer(t, { settings: { compat: { enabled: false } } })
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const page = expectSuccess(t, await frontEnd.get('/system/role/page', { ...query, orgId: 2 }))
  t.ok(page.total > 0, 'a unit is no parameter')
  t.same(Object.keys(page.records[0]).sort(), [
    ...['createTime', 'id', 'key', 'name', 'permissions', 'secondFactorRequired', 'tenantId', 'tenantName'],
  ])
})
