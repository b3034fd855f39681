import { parse } from 'csv-parse/sync'
import { test, type Test } from 'tap'
import { connect } from '../../helpers/databases/database.js'
import { parallel } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { hasWorkbooks } from '../../helpers/service/file-formats.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { insertUsers, signInAs } from '../../helpers/service/users.js'

const path = '/system/user/export'
const permissions = ['system:user:list']
const isInRedis = process.env['ROLLCALL_TEST_STORE'] === 'redis'

const start = async (t: Test) => {
  const server = await startServer(t)
  await insertUsers(server, [{ username: 'anna', realName: 'Anna' }, { username: 'ben' }, { username: 'hanna' }])
  const token = await signInAs(server, 'lister', { permissions })
  const issue = async (json: object = {}, by = token): Promise<string> =>
    expectSuccess(t, await server.call('POST', `${path}/ticket`, { token: by, json })).ticket
  return { server, token, issue }
}
const download = (server: TestServer, ticket: string, more: Record<string, string> = {}) =>
  server.call('GET', path, { query: { ticket, ...more } })
const namesIn = (text: string) =>
  parse<Record<string, string>>(text, { columns: true, bom: true }).map((row) => row['username'])

test('a ticket downloads the users under its filters once, without a header', async (t) => {
  const { server, token, issue } = await start(t)
  const json = { username: 'anna', orderByColumn: 'username', isAsc: 'desc' }
  const answer = await server.call('POST', `${path}/ticket`, { token, json })
  const { ticket, expiresIn } = expectSuccess(t, answer)
  t.equal(expiresIn, 60)
  t.match(ticket, /^[\w-]{43}\.\d\.[\w-]{43}$/)
  const file = await download(server, ticket, { username: 'ben', format: 'xlsx' })
  t.equal(file.status, 200)
  t.match(file.headers.get('content-disposition'), /^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/)
  t.same(namesIn(file.text), ['hanna', 'anna'], 'filters of the address change nothing')
  expectProblem(t, await download(server, ticket), 'invalid_grant')

  if (hasWorkbooks) {
    const workbook = await download(server, await issue({ format: 'xlsx', userStatus: 1 }))
    t.match(workbook.headers.get('content-type'), /spreadsheetml/)
  }
  const answers = await parallel(5, async () => download(server, ticket))
  t.same(new Set(answers.map(({ status }) => status)), new Set([400]))
  const raced = await issue()
  const statuses = (await parallel(5, () => download(server, raced))).map(({ status }) => status)
  t.same(statuses.sort(), [200, 400, 400, 400, 400])
})

test('eight tickets of a session are good at the same time, and a ninth takes the place of the earliest', async (t) => {
  const { server, token, issue } = await start(t)
  const tickets: string[] = []
  for (let count = 0; count < 9; count++) tickets.push(await issue())
  const [first = '', second = '', ...others] = tickets
  expectProblem(t, await download(server, first), 'invalid_grant')
  // Whoever has a part of a ticket cannot use it up.
  expectProblem(t, await download(server, `${others[0]?.slice(0, -43) ?? ''}${'A'.repeat(43)}`), 'invalid_grant')
  t.equal((await download(server, others[0] ?? '')).status, 200)
  t.equal((await download(server, second)).status, 200)
  t.equal((await download(server, others.at(-1) ?? '')).status, 200)
  const other = await signInAs(server, 'other', { permissions })
  t.equal((await download(server, await issue({}, other))).status, 200, 'others have tickets of their own')
  await parallel(60, () => issue({}, token))
  if (isInRedis) return
  const database = await connect(server.directory)
  const rows = await database.all("select key from store where key like 'download:%'")
  await database.close()
  t.ok(rows.length <= 2 * (8 + 1), `${rows.length} rows of two sessions`)
})

test('a ticket is good for a minute, for its session, and for who may still list users', async (t) => {
  const { server, token, issue } = await start(t)
  const late = await issue()
  server.clock.advance(60)
  expectProblem(t, await download(server, late), 'invalid_grant')
  for (const wrong of ['', 'x', 'A'.repeat(43)]) {
    const answer = await download(server, wrong)
    expectProblem(t, answer, wrong === '' ? 'token_missing' : 'invalid_grant')
    t.notMatch(answer.text, 'anna')
  }
  const ticket = await issue()
  const without = await issue()
  const { userId } = expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
  const [roleId = 0] = (await server.app.db.roles.grantsOf(userId)).roleIds
  await server.app.db.roles.replace(userId, [])
  expectProblem(t, await download(server, without), 'permission_denied')
  await server.app.db.roles.replace(userId, [roleId])
  expectSuccess(t, await server.call('POST', '/auth/logout', { token }))
  const ended = await download(server, ticket)
  expectProblem(t, ended, 'session_revoked')
  t.notMatch(ended.text, 'anna')
})

test('a ticket is issued to who may list users, and its filters are checked', async (t) => {
  const { server, token } = await start(t)
  const issue = (by: string | undefined, json: object) =>
    server.call('POST', `${path}/ticket`, { json, ...(by === undefined ? {} : { token: by }) })
  expectProblem(t, await issue(undefined, {}), 'token_missing')
  expectProblem(t, await issue(await signInAs(server, 'nobody'), {}), 'permission_denied')
  expectProblem(t, await issue(token, { format: 'pdf' }), 'invalid_request', ['format'])
  expectProblem(t, await issue(token, { userStatus: 'x' }), 'invalid_request', ['userStatus'])
  const { ticket } = expectSuccess(t, await issue(token, { phone: '13800138000' }))
  expectProblem(t, await download(server, ticket), 'permission_denied')
  const other = await server.call('GET', '/system/user/page', { query: { ticket } })
  expectProblem(t, other, 'token_missing')
})

test('no log and no database has the ticket, and no log the filters', async (t) => {
  const { server, issue } = await start(t)
  const ticket = await issue({ realName: 'Anna' })
  t.equal((await download(server, ticket)).status, 200)
  expectProblem(t, await download(server, ticket), 'invalid_grant')
  t.match(server.log(), path)
  t.notOk(server.log().includes(ticket))
  t.notMatch(server.log(), /realName=|ticket=/)
})
