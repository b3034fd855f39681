import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { createFrontEnd } from './front-end.js'
import { hasWorkbooks } from '../../../test/helpers/service/file-formats.js'
import { startServer, userPassword } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'

test('the login log is listed and opened in the words of the front end', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  const { id: userId } = await server.addUser('alice')
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0' }
  const login = (password: string) =>
    server.call('POST', '/auth/login', { json: { username: 'alice', password }, headers })
  await login('wrong password')
  server.clock.advance(60)
  await login(userPassword)
  const blank = { pageNum: 1, pageSize: 10, username: '', loginType: '', loginStatus: '', loginIp: '', clientCode: '' }
  const page = async (query: object) =>
    expectSuccess(t, await frontEnd.get('/system/loginLog/page', { ...blank, startTime: '', endTime: '', ...query }))
  t.equal((await page({})).total, 3)
  const refused = await page({ username: 'ali', loginStatus: 0 })
  t.equal(refused.total, 1)
  const [row] = refused.records
  t.match(row, {
    username: 'alice',
    userId: null,
    userAgent: headers['user-agent'],
    os: 'Linux',
    loginType: 'password',
    loginStatus: 0,
    clientCode: 'pc',
    loginIp: '127.0.0.1',
    loginLocation: '',
    loginMessage: 'Wrong user name or password',
  })
  t.match(row.loginTime, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  t.notMatch(JSON.stringify(refused), /wrong password/)
  t.strictSame(expectSuccess(t, await frontEnd.get(`/system/loginLog/${row.id}`)), row)
  const chinese = createFrontEnd(server, (await server.signIn()).accessToken, { 'accept-language': 'zh-CN' })
  t.equal(expectSuccess(t, await chinese.get(`/system/loginLog/${row.id}`)).loginMessage, '用户名或密码错误')
  const signedIn = await page({ username: 'alice', loginStatus: 1 })
  t.match(signedIn.records, [{ userId, userAgent: headers['user-agent'], loginStatus: 1, loginMessage: null }])
  const from = String(signedIn.records[0].loginTime).slice(0, 19).replace('T', ' ')
  const rows: [object, number][] = [
    [{ username: 'alice', startTime: from }, 1],
    [{ username: 'alice', endTime: from }, 2],
    [{ username: 'alice', startTime: '2999-01-01' }, 0],
    [{ clientCode: 'h5' }, 0],
    [{ loginIp: '127.0.0.1', username: 'alice' }, 2],
    [{ loginType: 'social' }, 0],
  ]
  for (const [query, total] of rows) t.equal((await page(query)).total, total, JSON.stringify(query))
  const faults: [object, string[]][] = [
    [{ startTime: 'yesterday' }, ['startTime']],
    [{ endTime: '2026-02-30' }, ['endTime']],
    [{ loginStatus: 2 }, ['loginStatus']],
  ]
  for (const [query, fields] of faults)
    expectProblem(t, await frontEnd.get('/system/loginLog/page', { ...blank, ...query }), 'invalid_request', fields)
  const permissions = ['system:loginlog:list']
  const boss = createFrontEnd(server, await signInAs(server, 'boss', { tenantId: other.id, userType: 1, permissions }))
  t.same(
    expectSuccess(t, await boss.get('/system/loginLog/page', blank)).records.map((one: any) => one.username),
    ['boss'],
  )
  expectProblem(t, await boss.get(`/system/loginLog/${row.id}`), 'not_found', ['id'])
  expectProblem(t, await frontEnd.get('/system/loginLog/99999'), 'not_found', ['id'])
})

test('the login log is sorted by its time in any case of the direction, or refuses', async (t) => {
  const server = await startServer(t)
  for (const name of ['anna', 'bert', 'cora']) {
    await server.addUser(name)
    server.clock.advance(60)
    await server.signIn(name)
  }
  server.clock.advance(60)
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const names = async (query: Record<string, string | number>) =>
    expectSuccess(t, await frontEnd.get('/system/loginLog/page', query)).records.map(({ username }: any) => username)
  const oldestFirst = ['anna', 'bert', 'cora', 'admin']
  for (const isAsc of ['asc', 'ASC', 'Asc', ''])
    for (const orderByColumn of ['loginTime', 'login_time']) t.same(await names({ orderByColumn, isAsc }), oldestFirst)
  for (const isAsc of ['desc', 'DESC'])
    t.same(await names({ orderByColumn: 'loginTime', isAsc }), [...oldestFirst].reverse())
  const refused: [Record<string, string>, string][] = [
    [{ orderByColumn: 'username' }, 'orderByColumn'],
    [{ orderByColumn: 'createTime' }, 'orderByColumn'],
    [{ isAsc: 'up' }, 'isAsc'],
  ]
  for (const [query, field] of refused)
    expectProblem(t, await frontEnd.get('/system/loginLog/page', query), 'invalid_request', [field])
})

test('every list takes the direction in any case', async (t) => {
  const server = await startServer(t)
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const lists = ['/system/user/page', '/system/role/page', '/system/tenant/page', '/system/audit/page']
    .concat(['/system/session/page', '/system/login-log/page', '/auth/online/page', '/system/loginLog/page'])
    .concat(['/auth/login-log/page', '/system/user/export'])
  for (const list of lists)
    for (const isAsc of ['ASC', 'Desc', 'dEsC']) t.equal((await frontEnd.get(list, { isAsc })).status, 200, list)
  const body = { orderByColumn: 'username', isAsc: 'DESC' }
  if (hasWorkbooks) t.equal((await frontEnd.json('/api/excel/export/sys_user_export', body)).status, 200)
})
