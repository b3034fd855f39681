import { parse } from 'csv-parse/sync'
import { test, type Test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { lastFormat, tableIn } from '../../helpers/service/file-formats.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { askPage, insertUsers } from '../../helpers/service/users.js'

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
  const file = await tableIn(server, lastFormat, [header, ...rows])
  t.match(expectSuccess(t, await importFile(server, token, file)), { added: 6 })
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
  const csv = 'username,gender,userType,forcePasswordChange\nx,雄,普通,maybe\ny,constructor,4,1\n'
  const report = expectSuccess(t, await importFile(server, token, csv))
  const gender = 'must be one of 0, 1, 2, Unknown, Male, Female'
  const userType = 'must be one of 0, 1, 2, 3, System administrator, Tenant administrator, User, Service account'
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
    ['必须是以下之一：0, 1, 2, 未知, 男, 女', /服务账号$/, '必须是以下之一：true, false, 是, 否'],
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
