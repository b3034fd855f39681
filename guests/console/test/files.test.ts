import { readSheet } from 'read-excel-file/universal'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { leaveOutWorkbooks, skipWithoutWorkbooks, tableIn } from '../../../test/helpers/service/file-formats.js'
import { startServer, userPassword, type Answer, type TestServer } from '../../../test/helpers/service/server.js'
import { importFile } from '../../../test/helpers/service/upload.js'
import { signInAs } from '../../../test/helpers/service/users.js'

const skip = skipWithoutWorkbooks

const download = async (server: TestServer, token: string, path: string, json?: object, more = {}) => {
  const response = await fetch(`${server.origin}${path}`, {
    ...(json && { method: 'POST', body: JSON.stringify(json) }),
    headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }), ...more },
  })
  return { response, rows: await readSheet(await response.arrayBuffer()) }
}

test('the list is exported as a workbook with the filters in the body, those of a unit too', { skip }, async (t) => {
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

test('a workbook has the words of the lists, and an import takes them, in both languages', { skip }, async (t) => {
  const server = await startServer(t)
  await server.addUser('gone', { userStatus: 0, userType: 1 })
  const { accessToken: token } = await server.signIn()
  const rows = [
    ['en', 'Tenant-wide account', 'Disabled'],
    ['zh-CN', '租户级账号', '禁用'],
  ] as const
  for (const [index, [language, type, status]] of rows.entries()) {
    const headers = { 'accept-language': language }
    const { rows: found } = await download(
      server,
      token,
      '/api/excel/export/sys_user_export',
      { username: 'gone' },
      headers,
    )
    t.same(found[1]?.filter((cell) => cell === type || cell === status).length, 2, `${language} ${found[1]?.join()}`)
    const table = [
      ['username', 'userType', 'userStatus', 'password'],
      [`user${index}`, type, status, userPassword],
    ]
    expectSuccess(t, await importFile(server, token, await tableIn(server, 'xlsx', table), { headers }))
    t.match(await server.app.db.users.findByUsername(1, `user${index}`), { userType: 1, userStatus: 0 })
  }
})

test('the template is for those who may add users', { skip }, async (t) => {
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

test('where there are no workbooks, a sentence says so', async (t) => {
  leaveOutWorkbooks(t)
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows = [
    ['en', 'Kind of file cannot be a workbook', 'The file cannot be a workbook'],
    ['zh-CN', '文件类型不能是工作簿', '文件不能是工作簿'],
  ] as const
  for (const [language, kind, file] of rows) {
    const headers = { 'accept-language': language }
    const answers: [answer: Answer, field: string, start: string][] = [
      [await server.call('POST', '/api/excel/export/sys_user_export', { token, headers, json: {} }), 'format', kind],
      [await server.call('GET', '/api/excel/template/sys_user_import', { token, headers }), 'format', kind],
      [await importFile(server, token, Buffer.from('PK\x03\x04 and more'), { headers }), 'file', file],
    ]
    for (const [answer, field, start] of answers) {
      expectProblem(t, answer, 'invalid_request', [field])
      t.ok(answer.body.message.startsWith(start), answer.body.message)
      t.match(answer.body.message, /CSV UTF-8$/)
    }
  }
})
