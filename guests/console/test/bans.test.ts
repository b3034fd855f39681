import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { insertUsers, signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'

interface Row {
  tokenValue: string
  userId: number
  username: string
  banned: boolean
}
interface Page {
  records: Row[]
  total: number
  pages: number
}

const permissions = ['system:session:list', 'system:session:delete']

/** Three banned users, and three who are signed in, the administrator among them. */
const start = async (t: Test) => {
  const server = await startServer(t)
  const ids = await insertUsers(
    server,
    ['ban-a', 'ban-b', 'ban-c'].map((username) => ({ username, realName: `Person ${username.slice(-1)}` })),
  )
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  for (const name of ['live-a', 'live-b']) {
    await server.addUser(name, { realName: `Somebody ${name.slice(-1)}` })
    await server.signIn(name)
  }
  for (const userId of ids)
    expectSuccess(t, await frontEnd.query('/auth/online/ban', { userId, banSeconds: 3600, reason: 'x' }))
  const page = async (query: object = {}, by = frontEnd): Promise<Page> =>
    expectSuccess(t, await by.get('/auth/online/page', { pageNum: 1, pageSize: 10, username: '', ...query }))
  const names = async (query: object = {}) => (await page(query)).records.map(({ username }) => username)
  return { server, frontEnd, ids, page, names }
}

test('banned users are rows of the online list, whose pages go over bans and sessions together', async (t) => {
  const { page, names, ids } = await start(t)
  const all = await page()
  t.match(all, { total: 6, pages: 1 })
  t.same(
    all.records.map(({ banned }) => banned),
    [true, true, true, false, false, false],
  )
  t.strictSame(all.records[0], {
    tokenValue: `ban_${ids[0] ?? 0}`,
    userId: ids[0],
    username: 'ban-a',
    realName: 'Person a',
    deptName: 'Default',
    ipAddress: '',
    loginLocation: '',
    browser: '',
    os: '',
    loginTime: '',
    lastActivityTime: '',
    expireTime: '2026-06-01 09:00:00',
    status: 0,
    banned: true,
  })
  const whole = all.records.map(({ username }) => username)
  for (const pageSize of [1, 2, 4, 5]) {
    const pages: string[] = []
    for (let pageNum = 1; (pageNum - 1) * pageSize < 6; pageNum += 1) {
      const found = await page({ pageNum, pageSize })
      t.match(found, { total: 6, pages: Math.ceil(6 / pageSize) })
      pages.push(...found.records.map(({ username }) => username))
    }
    t.same(pages, whole, `pages of ${pageSize} show everybody once`)
  }
  t.same(await names({ pageNum: 9, pageSize: 2 }), [])
})

test('the online list is searched by user name or real name, bans and sessions alike', async (t) => {
  const { server, names, page } = await start(t)
  t.same(await names({ username: 'BAN-B' }), ['ban-b'])
  t.same(await names({ username: 'person c' }), ['ban-c'])
  t.same(await names({ username: 'somebody a' }), ['live-a'])
  t.same((await names({ username: '-a' })).sort(), ['ban-a', 'live-a'])
  t.equal((await page({ username: '-a' })).total, 2)
  t.same(await names({ username: 'nobody' }), [])
  t.same(await names({ username: '%' }), [], 'a pattern is a text')
  const own = await server.call('GET', '/system/session/page', {
    token: (await server.signIn()).accessToken,
    query: { username: 'somebody' },
  })
  t.equal(expectSuccess(t, own).total, 0, 'our own list has user names only')
})

test('the handle of a ban ends nothing, and a ban that is lifted or over is no row', async (t) => {
  const { server, frontEnd, ids, page, names } = await start(t)
  const [first] = (await page()).records
  const sessions = async () => (await page()).records.filter(({ banned }) => !banned).length
  const before = await sessions()
  const kicked = await frontEnd.query('/auth/online/kickout', { tokenValue: first?.tokenValue ?? '' })
  expectProblem(t, kicked, 'not_found', ['tokenValue'])
  t.equal(kicked.body.message, 'Session has ended already: this user is banned')
  const chinese = createFrontEnd(server, (await server.signIn()).accessToken, { 'accept-language': 'zh-CN' })
  const again = await chinese.query('/auth/online/kickout', { tokenValue: first?.tokenValue ?? '' })
  t.equal(again.body.message, '会话已结束：该用户已被封禁')
  t.equal(await sessions(), before + 1, 'nothing has ended')
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: first?.tokenValue ?? '' }), 'token_invalid')

  t.equal(expectSuccess(t, await frontEnd.query('/auth/online/unban', { userId: ids[0] ?? 0 })), null)
  t.same((await names()).slice(0, 2), ['ban-b', 'ban-c'])
  for (const tokenValue of [`ban_${ids[0] ?? 0}`, 'ban_999', 'ban_x', 'ban_']) {
    const gone = await frontEnd.query('/auth/online/kickout', { tokenValue })
    expectProblem(t, gone, 'not_found', ['tokenValue'])
    t.equal(gone.body.message, 'Session does not exist any more', tokenValue)
  }
  const users = expectSuccess(t, await frontEnd.get('/system/user/page', { username: 'ban-b' }))
  t.equal(users.records[0].userStatus, 1, 'the list of users does not show a ban')
  server.clock.advance(3600)
  const later = createFrontEnd(server, (await server.signIn()).accessToken)
  t.match(await page({ username: 'ban-' }, later), { total: 0, records: [] })
})

test('bans of other tenants are not shown, and neither are users who have been deleted', async (t) => {
  const { server, frontEnd, ids, page, names } = await start(t)
  const other = await server.operator.addTenant('Other')
  const boss = { tenantId: other.id, userType: 1, permissions }
  const foreign = createFrontEnd(server, await signInAs(server, 'boss', boss))
  const [userId = 0] = await insertUsers(server, [{ username: 'ban-z', tenantId: other.id }])
  expectSuccess(t, await foreign.query('/auth/online/ban', { userId, banSeconds: -1, reason: '' }))
  const found = await page({}, foreign)
  t.same(
    found.records.map(({ username }) => username),
    ['ban-z', 'boss'],
  )
  t.equal(found.total, 2)
  t.match(await page({ username: 'ban-a' }, foreign), { total: 0, records: [] })
  expectProblem(t, await foreign.query('/auth/online/unban', { userId: ids[0] ?? 0 }), 'not_found', ['userId'])
  const kicked = await foreign.query('/auth/online/kickout', { tokenValue: `ban_${ids[0] ?? 0}` })
  t.equal(kicked.body.message, 'Session does not exist any more', 'nor whether they are banned')
  t.same(await names({ username: 'ban-' }), ['ban-a', 'ban-b', 'ban-c', 'ban-z'], 'a system administrator sees all')
  expectSuccess(t, await frontEnd.query('/system/user/remove', { id: ids[1] ?? 0 }))
  t.same(await names({ username: 'ban-' }), ['ban-a', 'ban-c', 'ban-z'])
  const nobody = createFrontEnd(server, await signInAs(server, 'nobody', { permissions: ['system:session:delete'] }))
  expectProblem(t, await nobody.get('/auth/online/page'), 'permission_denied')
})
