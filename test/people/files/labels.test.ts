import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/universal'
import { test, type Test } from 'tap'
import { valueLabels } from '../../../schemas/value-labels.js'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { askPage, insertUsers } from '../../helpers/service/users.js'
import { workbookOf } from '../../helpers/service/workbooks.js'

const start = async (t: Test) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  return { server, token }
}
type Started = Awaited<ReturnType<typeof start>>

const kinds = [0, 1, 2]
/** One user of each type, status and gender. */
const people = kinds.flatMap((userType) =>
  kinds.flatMap((status) =>
    kinds.map((gender) => ({
      username: `user${userType}${status}${gender}`,
      userType,
      columns: { user_status: status, gender, has_second_factor: gender === 1 ? 1 : 0 },
    })),
  ),
)
const stored = people.map(({ username, userType, columns }) => [
  username,
  userType,
  columns.user_status,
  columns.gender,
])
const storedIn = async (t: Test, { server, token }: Started) => {
  const page = expectSuccess(t, await askPage(server, token, 'keyword=user&pageSize=100&orderByColumn=id&isAsc=asc'))
  return (page.records as Record<string, unknown>[]).map((user) =>
    ['username', 'userType', 'userStatus', 'gender'].map((field) => user[field]),
  )
}

const workbookFrom = async (server: TestServer, token: string, language: string) => {
  const query = 'format=xlsx&keyword=user&orderByColumn=id&isAsc=asc'
  const response = await fetch(`${server.origin}/system/user/export?${query}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': language },
  })
  return response.arrayBuffer()
}
const fields = ['userType', 'userStatus', 'gender'] as const

for (const [language, other] of [
  ['en', 'zh-CN'],
  ['zh-CN', 'en'],
] as const) {
  test(`a workbook has the labels of forms, and is imported in any language: ${language}`, async (t) => {
    const one = await start(t)
    await insertUsers(one.server, people)
    const content = await workbookFrom(one.server, one.token, language)
    const [header = [], ...rows] = await readSheet(content)
    t.equal(rows.length, people.length)
    const names = ['userType', 'userStatus', 'gender']
    const columns = language === 'en' ? names : ['用户类型', '用户状态', '性别']
    for (const [index, column] of columns.entries()) {
      const field = fields[index] ?? 'gender'
      const labels = valueLabels[field].map(({ en, zh }) => (language === 'en' ? en : zh))
      t.equal(labels.length, 3)
      t.same(
        rows.map((row) => row[header.indexOf(column)]),
        stored.map((user) => labels[Number(user[index + 1])]),
        column,
      )
    }
    const [factor, ...words] = language === 'en' ? ['hasSecondFactor', 'Yes', 'No'] : ['第二步验证', '是', '否']
    t.same(
      rows.map((row) => row[header.indexOf(factor)]),
      people.map(({ columns }) => words[columns.has_second_factor === 1 ? 0 : 1]),
    )
    const elsewhere = await start(t)
    const report = await importFile(elsewhere.server, elsewhere.token, Buffer.from(content), {
      headers: { 'accept-language': other },
    })
    t.match(expectSuccess(t, report), { success: true, added: people.length, refused: 0, errors: [] })
    t.same(await storedIn(t, elsewhere), stored)
  })
}

test('a CSV file keeps the numbers, in any language', async (t) => {
  const { server, token } = await start(t)
  await insertUsers(server, people)
  for (const language of ['en', 'zh-CN']) {
    const query = 'keyword=user&orderByColumn=id&isAsc=asc'
    const answer = await server.call('GET', '/system/user/export', {
      token,
      query,
      headers: { 'accept-language': language },
    })
    const rows = parse<Record<string, string>>(answer.text, { columns: true, bom: true })
    t.same(
      rows.map(({ username, userType, userStatus, gender }) => [username, userType, userStatus, gender]),
      stored.map((user) => user.map(String)),
    )
    t.notMatch(answer.text, /Normal|正常|Male|男/)
  }
})

test('an import takes numbers and the labels of both languages, beside each other', async (t) => {
  const started = await start(t)
  const { server, token } = started
  const header = ['用户名', '真实姓名', 'User Type', '用户状态', 'gender', '首次登录修改密码', '密码']
  const rows = [
    ['user1', '王一', '普通用户', '正常', '男', '是', userPassword],
    ['user2', '王二', 'USER', 'disabled', ' female ', 'yes', userPassword],
    ['user3', '王三', '2', '1', '0', 'TRUE', userPassword],
    ['user4', '王四', 'tenant administrator', '锁定', '２', '否', userPassword],
    ['user5', '王五', '系统管理员', '停用', '未知', 'No', userPassword],
    ['user6', '王六', '', '', '', '', ''],
  ]
  t.match(expectSuccess(t, await importFile(server, token, await workbookOf([header, ...rows]))), { added: 6 })
  const expected = [
    ['user1', 2, 1, 1],
    ['user2', 2, 0, 2],
    ['user3', 2, 1, 0],
    ['user4', 1, 2, 2],
    ['user5', 0, 0, 0],
    ['user6', 2, 1, 0],
  ]
  t.same(await storedIn(t, started), expected)
  const { records } = expectSuccess(t, await askPage(server, token, 'keyword=user&orderByColumn=id&isAsc=asc'))
  t.match(
    records,
    ['王一', '王二', '王三', '王四', '王五', '王六'].map((realName) => ({ realName })),
  )
  const csv = [header, ...rows].map((row) => row.join(',').replace('user', 'again')).join('\n')
  t.match(expectSuccess(t, await importFile(server, token, csv)), { added: 6, refused: 0 })
  const force = [1, 2, 3, 4, 5].map(async (number) => {
    const user = await server.app.db.users.findByUsername(1, `again${number}`)
    return user?.forcePasswordChange
  })
  t.same(await Promise.all(force), [true, true, true, false, false])
})

test('any other text is refused with all that a cell may have', async (t) => {
  const { server, token } = await start(t)
  const csv = 'username,gender,userType,forcePasswordChange\nx,雄,普通,maybe\ny,constructor,3,1\n'
  const report = expectSuccess(t, await importFile(server, token, csv))
  const gender = 'must be one of 0, 1, 2, Unknown, Male, Female'
  const userType = 'must be one of 0, 1, 2, System administrator, Tenant administrator, User'
  const force = 'must be one of true, false, Yes, No'
  t.match(
    report.errors.map((error: Record<string, unknown>) => [error['rowNum'], error['field'], error['errorMessage']]),
    [
      [2, 'gender', gender],
      [2, 'userType', userType],
      [2, 'forcePasswordChange', force],
      [3, 'gender', gender],
      [3, 'userType', userType],
      [3, 'forcePasswordChange', force],
    ],
  )
  t.equal(report.refused, 2)
  const chinese = await importFile(server, token, csv, { headers: { 'accept-language': 'zh-CN' } })
  t.match(
    expectSuccess(t, chinese).errors.map((error: Record<string, unknown>) => error['errorMessage']),
    ['必须是以下之一：0, 1, 2, 未知, 男, 女', /普通用户$/, '必须是以下之一：true, false, 是, 否'],
  )
})

test('columns without a name and without values count nowhere, as programs write coloured cells', async (t) => {
  const { server, token } = await start(t)
  const many = ','.repeat(16_000)
  const csv = `username,,realName${many}\nuser1,,Alice${many}\n${many}\nuser2,,Bob\n`
  t.match(expectSuccess(t, await importFile(server, token, csv)), { rows: 2, added: 2, refused: 0 })
  const filled = expectSuccess(
    t,
    await importFile(server, token, 'username,,realName,\nuser3,x,Carol,\nuser4,,Dora,y\n'),
  )
  t.match(filled.errors, [
    { rowNum: 2, field: 'row', errorMessage: 'has a value in column 2, which has no name in the first line' },
    { rowNum: 3, field: 'row', errorMessage: 'must have no more than 3 fields, like the first line' },
  ])
  t.match(filled, { added: 0, refused: 2 })
})
