import { readSheet } from 'read-excel-file/universal'
import { test, type Test } from 'tap'
import { valueLabels } from '../../../schemas/value-labels.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer, type TestServer } from '../../../test/helpers/service/server.js'
import { importFile } from '../../../test/helpers/service/upload.js'
import { askPage, insertUsers } from '../../../test/helpers/service/users.js'

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
      t.ok(labels.length >= 3)
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
