import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { createFrontEnd } from './front-end.js'
import { startServer, userPassword } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'
const json = { username: 'alice', password: userPassword }

test('who is signed in is listed without tokens, and can be thrown out', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice', { realName: 'Alice' })
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const { accessToken: token } = expectSuccess(
    t,
    await server.call('POST', '/auth/login', { json, headers: { 'user-agent': chrome } }),
  )
  const page = async (query: object) =>
    expectSuccess(t, await frontEnd.get('/auth/online/page', { pageNum: 1, pageSize: 10, ...query }))
  t.equal((await page({ username: '' })).total, 2)
  const found = await page({ username: 'ALI' })
  t.equal(found.total, 1)
  t.match((await page({ username: 'admin' })).records[0], { browser: '', os: '' }, 'of an unknown program')
  const [row] = found.records
  t.match(row, {
    userId: id,
    username: 'alice',
    realName: 'Alice',
    deptName: 'Default',
    ipAddress: '127.0.0.1',
    loginLocation: '',
    browser: 'Chrome 120.0.0.0',
    os: 'Windows 10',
    status: 1,
    banned: false,
  })
  for (const name of ['loginTime', 'lastActivityTime', 'expireTime'])
    t.match(row[name], /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  t.notMatch(JSON.stringify(found), new RegExp(token))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: row.tokenValue }), 'token_invalid')
  t.equal(expectSuccess(t, await frontEnd.query('/auth/online/kickout', { tokenValue: row.tokenValue })), null)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')
  t.equal((await page({ username: 'alice' })).total, 0)
  expectProblem(t, await frontEnd.query('/auth/online/kickout', { tokenValue: 'x' }), 'not_found', ['tokenValue'])
  const own = (await page({})).records[0].tokenValue as string
  expectProblem(t, await frontEnd.query('/auth/online/kickout', { tokenValue: own }), 'own_account')
})

test('a banned user is thrown out and cannot sign in until the time is over', async (t) => {
  const server = await startServer(t)
  const { id: userId } = await server.addUser('alice')
  const { accessToken: admin } = await server.signIn()
  const frontEnd = createFrontEnd(server, admin)
  const { accessToken: token } = await server.signIn('alice')
  const signIn = (password = userPassword) =>
    server.call('POST', '/auth/login', { json: { username: 'alice', password } })
  const ban = { userId, banSeconds: 3600, reason: 'shared the password' }
  t.equal(expectSuccess(t, await frontEnd.query('/auth/online/ban', ban)), null)
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_revoked')
  const refused = await signIn()
  expectProblem(t, refused, 'account_banned')
  t.equal(refused.body.message, 'This account is blocked by an administrator until 2026-06-01 09:00:00')
  t.equal(refused.headers.get('retry-after'), '3600')
  t.notMatch(refused.text, /shared the password/)
  expectProblem(t, await signIn('wrong'), 'invalid_credentials')
  server.clock.advance(3599)
  expectProblem(t, await signIn(), 'account_banned')
  server.clock.advance(1)
  expectSuccess(t, await signIn())
  const later = createFrontEnd(server, (await server.signIn()).accessToken)
  for (let times = 0; times < 2; times += 1)
    expectSuccess(t, await later.query('/auth/online/ban', { userId, banSeconds: -1, reason: '' }))
  server.clock.advance(6 * 3600)
  expectProblem(t, await signIn(), 'account_banned')
  const again = createFrontEnd(server, (await server.signIn()).accessToken)
  for (let times = 0; times < 2; times += 1) expectSuccess(t, await again.query('/auth/online/unban', { userId }))
  expectSuccess(t, await signIn())
  expectSuccess(t, await again.query('/auth/online/ban', { userId, banSeconds: 60 }))
  expectSuccess(t, await again.query('/system/user/doUntieDisable', { id: userId }))
  expectSuccess(t, await signIn())
  const trail = expectSuccess(
    t,
    await again.get('/system/audit/page', { targetId: userId, isAsc: 'asc', orderByColumn: 'time' }),
  )
  const actions = trail.records.map(({ action }: { action: string }) => action)
  t.same(actions.filter((action: string) => action === 'user.ban').length, 3, 'a repetition is not recorded')
  t.same(actions.filter((action: string) => action === 'user.unban').length, 2, 'a repetition is not recorded')
  t.match(trail.records.find(({ action }: { action: string }) => action === 'user.ban').after, { reason: ban.reason })
})

test('the last administrator is not banned, and a banned or locked one is not the one who stays', async (t) => {
  const server = await startServer(t)
  const { db } = server.app
  const admin = (await db.users.findByUsername(1, 'admin'))?.id ?? 0
  const permissions = ['system:session:delete', 'system:user:delete']
  const token = await signInAs(server, 'helper', { userType: 0, permissions })
  const helper = createFrontEnd(server, token)
  const ban = (userId: number, banSeconds: number) =>
    helper.query('/auth/online/ban', { userId, banSeconds, reason: 'x' })
  const adminStays = async (why: string) => {
    expectProblem(t, await server.call('DELETE', `/system/user/${admin}`, { token }), 'last_administrator')
    await t.rejects(server.operator.setEnabled('admin', false), { code: 'last_administrator' })
    for (const seconds of [-1, 60]) expectProblem(t, await ban(admin, seconds), 'last_administrator')
    const { userStatus, bannedUntil } = (await db.users.find(admin)) ?? {}
    t.equal(userStatus, 1, why)
    t.ok((bannedUntil ?? 0) <= server.clock.now(), why)
  }
  const live = (await server.signIn()).accessToken
  await adminStays('the only one')
  t.equal(await db.auditTrail.has({ action: 'user.ban', targetType: 'user', targetId: String(admin) }), false)

  await server.operator.addRole('edits', 'Edits', ['system:user:edit'])
  const { id: boss } = await server.addUser('boss', { userType: 0, roles: ['edits'] })
  expectSuccess(t, await ban(boss, 60))
  await adminStays('the other one is banned for a time')
  const change = (json: object) => server.call('PATCH', `/system/user/${boss}`, { token: live, json })
  server.clock.advance(60)
  expectSuccess(t, await change({ userStatus: 2 }))
  await adminStays('the other one is locked')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: live }))

  expectSuccess(t, await change({ userStatus: 1 }))
  expectSuccess(t, await ban(admin, 60))
  expectProblem(t, await server.call('DELETE', `/system/user/${boss}`, { token }), 'last_administrator')
  server.clock.advance(60)
  expectSuccess(t, await server.call('DELETE', `/system/user/${boss}`, { token }))
  await adminStays('the ban is over')
  await server.signIn()
})

test('nobody is banned without a time, and nobody who is out of reach', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  const { id } = await server.addUser('alice')
  const permissions = ['system:session:list', 'system:session:delete']
  const admin = createFrontEnd(server, (await server.signIn()).accessToken)
  const self = (await server.app.db.users.findByUsername(1, 'admin'))?.id ?? 0
  const foreign = createFrontEnd(
    server,
    await signInAs(server, 'boss', { tenantId: other.id, userType: 1, permissions }),
  )
  const user = createFrontEnd(server, await signInAs(server, 'user', { permissions }))
  const nobody = createFrontEnd(server, await signInAs(server, 'nobody', { permissions: ['system:session:list'] }))
  const ban = (frontEnd: typeof admin, query: object) =>
    frontEnd.query('/auth/online/ban', { userId: id, banSeconds: 60, ...query })
  for (const banSeconds of [0, -2, '', 'x', 1e12])
    expectProblem(t, await ban(admin, { banSeconds }), 'invalid_request', ['banSeconds'])
  expectProblem(t, await ban(admin, { userId: self }), 'own_account')
  expectProblem(t, await ban(admin, { userId: 999 }), 'not_found', ['userId'])
  expectProblem(t, await ban(foreign, {}), 'not_found', ['userId'])
  expectProblem(t, await foreign.query('/auth/online/unban', { userId: id }), 'not_found', ['userId'])
  expectProblem(t, await ban(user, { userId: self }), 'permission_denied')
  expectProblem(t, await ban(nobody, {}), 'permission_denied')
  t.equal(expectSuccess(t, await foreign.get('/auth/online/page')).total, 1, 'only itself')
  await server.signIn('alice')
})

test('the online list is sorted by the column that is asked for, in any case of the direction, or refuses', async (t) => {
  const server = await startServer(t)
  const tokens: string[] = []
  for (const name of ['anna', 'bert', 'cora']) {
    await server.addUser(name)
    server.clock.advance(60)
    tokens.push((await server.signIn(name)).accessToken)
  }
  server.clock.advance(300)
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: tokens[0] ?? '' }))
  server.clock.advance(300)
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const names = async (query: Record<string, string | number>) =>
    expectSuccess(t, await frontEnd.get('/auth/online/page', query)).records.map(({ username }: any) => username)
  const byLogin = ['anna', 'bert', 'cora', 'admin']
  for (const isAsc of ['asc', 'ASC', 'Asc', ' aSC ', ''])
    for (const orderByColumn of ['loginTime', 'login_time'])
      t.same(await names({ orderByColumn, isAsc }), byLogin, `${orderByColumn} ${isAsc}`)
  for (const isAsc of ['desc', 'DESC', 'Desc'])
    t.same(await names({ orderByColumn: 'loginTime', isAsc }), [...byLogin].reverse())
  t.same(await names({ orderByColumn: '', isAsc: '' }), [...byLogin].reverse(), 'the latest first, unless asked')
  for (const orderByColumn of ['lastActivityTime', 'last_activity_time'])
    t.same(await names({ orderByColumn, isAsc: 'DESC' }), ['admin', 'anna', 'cora', 'bert'])
  t.same(await names({ orderByColumn: 'loginTime', isAsc: 'ASC', pageNum: 2, pageSize: 3 }), ['admin'])
  const userId = (await server.app.db.users.findByUsername(1, 'cora'))?.id ?? 0
  expectSuccess(t, await frontEnd.query('/auth/online/ban', { userId, banSeconds: 60, reason: 'x' }))
  t.same(await names({ orderByColumn: 'loginTime', isAsc: 'ASC' }), ['cora', 'anna', 'bert', 'admin'])
  const refused: [Record<string, string>, string][] = [
    [{ orderByColumn: 'username' }, 'orderByColumn'],
    [{ orderByColumn: 'createTime' }, 'orderByColumn'],
    [{ orderByColumn: 'loginTime; drop table users' }, 'orderByColumn'],
    [{ isAsc: 'up' }, 'isAsc'],
    [{ orderByColumn: 'loginTime', isAsc: 'ascending' }, 'isAsc'],
  ]
  for (const [query, field] of refused)
    expectProblem(t, await frontEnd.get('/auth/online/page', query), 'invalid_request', [field])
})
