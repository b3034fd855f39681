import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { parse } from 'csv-parse/sync'
import { test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { eventually } from '../../helpers/processes/process.js'
import { startServer, type CallOptions, type TestServer } from '../../helpers/service/server.js'
import { askPage, insertUsers, namesOf, signInAs } from '../../helpers/service/users.js'

type Row = Record<string, string>
const askExport = (server: TestServer, token: string | undefined, query: CallOptions['query'] = '') =>
  server.call('GET', '/system/user/export', { query, ...(token === undefined ? {} : { token }) })
const rowsOf = (text: string) => parse<Row>(text, { columns: true, bom: true })
const list = ['system:user:list']

test('the export is a CSV file with a name, and no table for the formulas of others', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  await insertUsers(server, [
    {
      username: '=1+1',
      realName: '@SUM(A1)',
      phone: '+442071838750',
      columns: { remark: '"quoted", \r\nsecond line' },
    },
    { username: "'-2", realName: 'Comma, "Quote"', columns: { remark: '\tx' } },
    { username: 'plain', realName: '王小明', columns: { remark: "it's - fine" } },
  ])
  const { status, headers, text } = await askExport(server, token, 'orderByColumn=id')
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  t.match(headers.get('content-disposition'), /^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/)
  // `text` has lost the byte order mark, which fetch takes away.
  const raw = await fetch(`${server.origin}/system/user/export`, { headers: { authorization: `Bearer ${token}` } })
  t.same([...new Uint8Array(await raw.arrayBuffer()).subarray(0, 6)], [0xef, 0xbb, 0xbf, 0x69, 0x64, 0x2c])
  t.match(
    text,
    /^id,username,realName,phone,email,roles,userType,tenant,userStatus,gender,remark,avatar,.*,hasSecondFactor\r\n/,
  )
  const [, formula, apostrophe, plain] = rowsOf(text)
  t.match(formula, { username: "'=1+1", realName: "'@SUM(A1)", phone: "'+442071838750" })
  t.match(apostrophe, { username: "''-2", realName: 'Comma, "Quote"', remark: "'\tx" })
  t.match(plain, { username: 'plain', realName: '王小明', remark: "it's - fine" })
  t.notMatch(text, /argon2|password/i)
})

test('filters, order and what may be seen are those of the list', async (t) => {
  const server = await startServer(t)
  const { id: acme } = await server.operator.addTenant('Acme')
  await insertUsers(
    server,
    Array.from({ length: 30 }, (_, index) => ({
      username: `user${index}`,
      tenantId: index % 3 === 0 ? acme : 1,
      phone: `138001380${String(index).padStart(2, '0')}`,
      email: `user${index}@example.com`,
      createTime: index * 1000,
    })),
  )
  const { accessToken: admin } = await server.signIn()
  const reader = await signInAs(server, 'reader', { tenantId: acme, permissions: list })
  const manager = await signInAs(server, 'manager', { tenantId: acme, permissions: ['system:user:*'] })
  await server.operator.addRole('editor', 'Editor', [], acme)
  for (const name of ['user3', 'user6']) await server.operator.assign('editor', name, acme)
  const queries = [
    '',
    'role=editor',
    'role=nobody',
    'search=user1',
    'search=user3@example.com',
    'keyword=user1',
    `tenantId=${acme}&orderByColumn=username&isAsc=desc`,
    'createTimeFrom=1970-01-01T00:00:05Z&createTimeTo=1970-01-01T00:00:20Z',
    'userType=0',
    'hasSecondFactor=false',
    'hasSecondFactor=true',
    'username=nobody',
    'phone=&tenantId=',
  ]
  for (const token of [admin, reader, manager]) {
    for (const query of queries) {
      const page = expectSuccess(t, await askPage(server, token, `${query}&pageSize=100`))
      const answer = await askExport(server, token, query)
      t.equal(answer.status, 200)
      t.same(
        rowsOf(answer.text).map(({ username }) => username),
        namesOf(page),
        query,
      )
    }
  }
  t.match((await askExport(server, reader)).text, '138******8003')
  t.notMatch((await askExport(server, reader)).text, /13800138003|user3@|Default/)
  t.match((await askExport(server, manager)).text, '13800138003')
  t.notMatch((await askExport(server, manager)).text, /13800138001|Default/)
})

test('a refusal is in the envelope, and nothing of a file shows', async (t) => {
  const server = await startServer(t)
  const reader = await signInAs(server, 'reader', { permissions: list })
  const adder = await signInAs(server, 'adder', { permissions: ['system:user:add'] })
  const rows = [
    ['token_missing', undefined, ''],
    ['permission_denied', adder, ''],
    ['permission_denied', reader, 'phone=13800138000'],
    ['permission_denied', reader, 'orderByColumn=email'],
    ['invalid_request', reader, 'orderByColumn=password'],
    ['invalid_request', reader, 'userStatus=abc'],
  ] as const
  for (const [reason, token, query] of rows) {
    const answer = await askExport(server, token, query)
    expectProblem(t, answer, reason)
    t.equal(answer.headers.get('content-disposition'), null)
  }
  t.not((await server.call('HEAD', '/system/user/export', { token: reader })).status, 200, 'HEAD would read all users')
})

test('the audit trail says who exported how many users by which filters, but not whom they looked for', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const reader = await signInAs(server, 'reader', { permissions: list })
  await askExport(server, token, 'phone=13800138000&keyword=ali&orderByColumn=')
  expectProblem(t, await askExport(server, reader, 'phone=13800138000'), 'permission_denied')
  const answer = await server.call('GET', '/system/audit/page', { token, query: 'action=user.export' })
  const { records } = expectSuccess(t, answer)
  t.equal(records.length, 1)
  t.match(records[0], { actorName: 'admin', targetType: 'export', after: { users: 0, filters: ['phone', 'keyword'] } })
  t.notMatch(answer.text, /13800138000|"ali"/)
})

/** Begins an export and stops reading after the first bytes. */
const beginExport = async (server: TestServer, token: string) => {
  const asked = request(`${server.origin}/system/user/export?orderByColumn=id`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  })
  asked.on('error', () => undefined)
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  await once(answer, 'readable')
  return { asked, answer }
}

test('one user runs one export at a time, and a client that goes away frees it', async (t) => {
  const server = await startServer(t)
  await insertManyUsers(server.directory, 50_000)
  const { accessToken: token } = await server.signIn()
  const reader = await signInAs(server, 'reader', { permissions: list })
  const { asked } = await beginExport(server, token)
  const refused = await askExport(server, token)
  expectProblem(t, refused, 'too_many_requests')
  t.equal(refused.headers.get('retry-after'), '5')
  t.equal((await askExport(server, reader, 'username=reader')).status, 200, 'others may')
  asked.destroy()
  const again = await eventually('a second export', async () => {
    const answer = await askExport(server, token, 'username=admin')
    return answer.status === 200 ? answer : undefined
  })
  t.equal(rowsOf(again.text).length, 1)
})

test('everybody in the file is from one moment: later users are missing, and deleted ones leave no gap', async (t) => {
  const server = await startServer(t)
  const count = 50_000
  await insertManyUsers(server.directory, count)
  const { accessToken: token } = await server.signIn()
  const { answer } = await beginExport(server, token)
  // The server waits for the reader: the last users have not been read yet.
  await server.addUser('late')
  const database = await connect(server.directory)
  await database.run("delete from users where username = 'user50000'")
  await database.close()
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  const names = rowsOf(text).map(({ username }) => username)
  t.equal(names.length, count)
  t.equal(new Set(names).size, count)
  t.notOk(names.includes('late'))
  t.notOk(names.includes('user50000'))
})
