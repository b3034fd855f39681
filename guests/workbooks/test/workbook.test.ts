import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer, userPassword, type TestServer } from '../../../test/helpers/service/server.js'
import { importFile } from '../../../test/helpers/service/upload.js'
import { askPage, insertUsers, signInAs } from '../../../test/helpers/service/users.js'
import { goodParts, hostile, megabytes, workbookOf, type Cell } from './workbooks.js'

const exported = async (server: TestServer, token: string, query: string, language = 'en') => {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': language }
  const response = await fetch(`${server.origin}/system/user/export?format=xlsx&${query}`, { headers })
  return { response, content: await response.arrayBuffer() }
}

test('the list is exported as a workbook, which can be imported again', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  await server.operator.addRole('reader', 'Reader', [])
  const odd = 'a<b>&"c"\r\n_x000D_ \u0007end 😀'
  const [id] = await insertUsers(server, [
    { username: '=1+1', realName: '王小明', phone: '13800138000', email: 'x@example.com', columns: { remark: odd } },
    { username: 'other' },
  ])
  await server.operator.assign('reader', '=1+1')
  const { response, content } = await exported(server, token, 'username=%3D1&phone=&userStatus=&pageNum=1')
  t.equal(response.status, 200)
  t.match(response.headers.get('content-disposition'), /filename="users-.*\.xlsx"/)
  t.match(response.headers.get('content-type'), 'spreadsheetml')
  const [header, row, more] = await readSheet(content, { trim: false })
  t.match(header, ['id', 'username', 'realName', 'phone', 'email', 'roles'])
  t.match(row, [id, '=1+1', '王小明', '13800138000', 'x@example.com', 'reader'])
  t.equal(row?.[10], 'a<b>&"c"\r\n_x000D_ end 😀')
  t.equal(more, undefined)
  const sheet = strFromU8(unzipSync(new Uint8Array(content))['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  t.notMatch(sheet, '<f>', 'no formula')
  const chinese = await exported(server, token, 'username=%3D1', 'zh-CN')
  t.match((await readSheet(chinese.content))[0], ['编号', '用户名', '姓名', '手机号'])

  const { accessToken: other } = await (async () => {
    const { id: acme } = await server.operator.addTenant('Acme')
    await server.operator.addRole('reader', 'Reader', [], acme)
    return {
      accessToken: await signInAs(server, 'boss', { tenantId: acme, userType: 1, permissions: ['system:user:*'] }),
    }
  })()
  const cells = await readSheet(chinese.content, { trim: false })
  const withoutTenant = cells.map((row) => row.map((cell, index) => (index === 7 ? null : (cell as Cell))))
  withoutTenant[0]?.splice(7, 1, '租户')
  const report = expectSuccess(t, await importFile(server, other, await workbookOf(withoutTenant)))
  t.match(report, { success: true, added: 1, summary: 'Added 1 user', errors: [] })
  const [added] = (await askPage(server, other, 'keyword=王')).body.data.records
  t.match(added, { username: '=1+1', realName: '王小明', roleKeys: ['reader'], tenantName: 'Acme' })
})

test('contacts in a workbook are masked like those of the list', async (t) => {
  const server = await startServer(t)
  await insertUsers(server, [{ username: 'alice', phone: '13800138000', email: 'alice@example.com' }])
  const reader = await signInAs(server, 'reader', { permissions: ['system:user:list'] })
  const rows = await readSheet((await exported(server, reader, 'username=alice')).content)
  t.match(rows[1], [Number, 'alice', 'alice', '138******8000', 'a******e@example.com'])
  const query = { format: 'xlsx', phone: '13800138000' }
  expectProblem(t, await server.call('GET', '/system/user/export', { token: reader, query }), 'permission_denied')
  const { accessToken: token } = await server.signIn()
  const unknown = await server.call('GET', '/system/user/export', { token, query: 'format=ods' })
  expectProblem(t, unknown, 'invalid_request', ['format'])
})

test('the template names the columns, and filled in it adds users with the faults of each row', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const template = await server.app.userFiles.importTemplate('zh', 'xlsx')
  t.equal(template.name, 'users-template.xlsx')
  const [header = [], example = [], ...rest] = await readSheet(new Uint8Array(template.content).buffer)
  t.match(header, ['用户名', '姓名', '手机号', '邮箱', '角色', '用户类型', '租户', '密码'])
  t.same(rest, [])
  t.match(example, ['zhangsan', '张三', '+86 138 0013 8000', 'zhangsan@example.com', null, '普通用户', null, null])
  const head = header as string[]
  const row = (username: string, phone: Cell, password: string) => [
    username,
    null,
    phone,
    null,
    null,
    2,
    null,
    password,
  ]
  const unchanged = await importFile(server, token, template.content)
  t.match(expectSuccess(t, unchanged), { success: true, rows: 0, added: 0 }, 'as of a CSV file')
  const faulty = await workbookOf([head, row('alice', 13800138000, userPassword), [], row('bob', 12, userPassword)])
  const { summary, ...report } = expectSuccess(
    t,
    await importFile(server, token, faulty, { headers: { 'accept-language': 'zh-CN' } }),
  )
  t.match(summary, /^共 2 行，其中 1 行有误，未导入任何用户/)
  t.same(report, {
    success: false,
    dryRun: false,
    contactsCompared: true,
    withoutWayIn: 0,
    namesWithoutWayIn: [],
    invited: 0,
    notInvited: 0,
    createTimeFrom: null,
    createTimeTo: null,
    rows: 2,
    added: 0,
    refused: 1,
    errors: [
      {
        rowNum: 4,
        field: 'phone',
        columnName: '手机号',
        errorMessage: '手机号格式不正确：请填写中国的手机号，如 131 2345 6789，或带国家代码的号码，如 +44 7400 123456',
      },
    ],
  })
  const right = await workbookOf([head, row('alice', 13800138000, userPassword), row('bob', null, userPassword)])
  t.match(expectSuccess(t, await importFile(server, token, right)), { success: true, added: 2 })
  t.equal((await server.signIn('alice', userPassword)).forcePasswordChange, true)
  t.notMatch(server.log(), userPassword)
})

const refusals = async (
  t: Test,
  server: TestServer,
  token: string,
  content: Uint8Array,
  reason: 'invalid_request' | 'payload_too_large',
  text: RegExp,
) => {
  const answer = await importFile(server, token, Buffer.from(content))
  expectProblem(t, answer, reason)
  t.match(answer.body.message, text)
}

test('a workbook with a comment, or with bytes after its end, is read', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const good = Buffer.from(zipSync(await goodParts()))
  const comment = Buffer.from(`made by PK\x05\x06 and ${'others '.repeat(9)}`)
  const commented = Buffer.concat([good, comment])
  commented.writeUInt16LE(comment.length, good.length - 2)
  t.match(expectSuccess(t, await importFile(server, token, commented)), { added: 1 })
  const padded = Buffer.concat([good, Buffer.from('PK\x05\x06 is not the end')])
  // The user is there already: the workbook was read.
  t.match(expectSuccess(t, await importFile(server, token, padded)), { rows: 1, refused: 1 })
})

test('a workbook that is none, or is made to harm, is refused, and memory stays bounded', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const parts = await goodParts()
  t.match(expectSuccess(t, await importFile(server, token, Buffer.from(zipSync(parts)))), { added: 1 })
  for (const [sentence, reason, text, changes] of hostile) {
    await t.test(sentence, async (t) => {
      const content = zipSync({ ...parts, ...changes() })
      t.ok(content.length < 5 * 2 ** 20)
      await refusals(t, server, token, content, reason, text)
    })
  }
  const others: [
    sentence: string,
    content: Uint8Array,
    reason: 'invalid_request' | 'payload_too_large',
    text: RegExp,
  ][] = [
    [
      'an old or encrypted workbook',
      Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex'),
      'invalid_request',
      /\.xlsx without/,
    ],
    ['another zip file', zipSync({ 'a.txt': strToU8('x') }), 'invalid_request', /not an .xlsx/],
    [
      'an archive in an archive',
      zipSync({ 'xl/a.xml': zipSync({ 'b.xml': megabytes(2) }) }),
      'invalid_request',
      /not an .xlsx/,
    ],
    ['half a workbook', zipSync(parts).subarray(0, 700), 'invalid_request', /not an .xlsx/],
    ['a workbook without its last bytes', zipSync(parts).subarray(0, -1), 'invalid_request', /not an .xlsx/],
    [
      'a workbook around a whole one, without the directory at its end',
      zipSync({ ...parts, 'a.zip': [zipSync(parts), { level: 0 }] }).subarray(0, -300),
      'invalid_request',
      /not an .xlsx/,
    ],
    [
      'a workbook without the directory at its end',
      zipSync(parts).subarray(0, -300),
      'invalid_request',
      /not an .xlsx/,
    ],
    ['an empty sheet', await workbookOf([]), 'invalid_request', /username/],
    ['more than 5 MiB', Buffer.concat([zipSync(parts), Buffer.alloc(5 * 2 ** 20)]), 'payload_too_large', /too large/],
  ]
  for (const [sentence, content, reason, text] of others) {
    await t.test(sentence, (t) => refusals(t, server, token, content, reason, text))
  }
  t.match(expectSuccess(t, await askPage(server, token)), { total: 2 })
})
