import { readSheet } from 'read-excel-file/universal'
import { test } from 'tap'
import { expectProblem } from '../../test/helpers/service/expect.js'
import { startServer, type TestServer } from '../../test/helpers/service/server.js'
import { signInAs } from '../../test/helpers/service/users.js'

const download = async (server: TestServer, token: string, path: string, json?: object) => {
  const response = await fetch(`${server.origin}${path}`, {
    ...(json && { method: 'POST', body: JSON.stringify(json) }),
    headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) },
  })
  return { response, rows: await readSheet(await response.arrayBuffer()) }
}

test('the list is exported as a workbook with the filters in the body, those of a unit too', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  await server.addUser('alice', { tenantId: other.id })
  const { accessToken: token } = await server.signIn()
  const names = async (filters: object) => {
    const { response, rows } = await download(server, token, '/api/excel/export/sys_user_export', filters)
    t.match(response.headers.get('content-disposition'), /filename="users-.*\.xlsx"/)
    return rows.slice(1).map((row) => row[1])
  }
  t.same(await names({ username: 'ali', phone: '', userStatus: null, pageNum: 1 }), ['alice'])
  t.same(await names({ orgId: 1 }), ['admin'])
  t.same(await names({ orgId: 1, tenantId: other.id }), [])
  const csv = await server.call('GET', '/system/user/export', { token, query: { orgId: other.id } })
  t.match(csv.text, 'alice')
  t.notMatch(csv.text, 'admin')
})

test('the template is for those who may add users', async (t) => {
  const server = await startServer(t)
  const path = '/api/excel/template/sys_user_import'
  const { accessToken: token } = await server.signIn()
  const { response, rows } = await download(server, token, path)
  t.match(response.headers.get('content-disposition'), 'users-template.xlsx')
  t.match(rows[0], ['username', 'realName', 'phone'])
  const reader = await signInAs(server, 'reader', { permissions: ['system:user:list'] })
  expectProblem(t, await server.call('GET', path, { token: reader }), 'permission_denied')
  const filters = { token: reader, json: { phone: '13800138000' } }
  expectProblem(t, await server.call('POST', '/api/excel/export/sys_user_export', filters), 'permission_denied')
})
