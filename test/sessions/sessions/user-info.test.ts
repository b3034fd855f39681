import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

test('userInfo has exactly its fields, unmasked, at sign-in and later', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  const reader = await operator.addRole('reader', 'Reader', ['system:user:list', 'report:*:read'])
  const writer = await operator.addRole('writer', 'Writer', ['report:*:read', 'report:page:write'])
  const created = server.clock.now()
  const alice = await server.addUser('alice', {
    realName: '爱丽丝',
    phone: '13800138000',
    email: 'Alice@example.com',
    roles: ['writer', 'reader'],
  })
  server.clock.advance(90)
  const { userInfo, accessToken: token } = await server.signIn('alice', undefined, { userClient: 'h5' })
  const expected = {
    userId: alice.id,
    tenantId: 1,
    tenantName: 'Default',
    username: 'alice',
    realName: '爱丽丝',
    userType: 2,
    userStatus: 1,
    gender: 0,
    phone: '13800138000',
    internationalPhone: '+8613800138000',
    email: 'Alice@example.com',
    avatar: null,
    forcePasswordChange: false,
    passwordTime: new Date(created).toISOString(),
    roleIds: [reader.id, writer.id],
    roleKeys: ['reader', 'writer'],
    permissions: ['report:*:read', 'report:page:write', 'system:user:list'],
    admin: false,
    tenantAdmin: false,
    userClient: 'h5',
    loginTime: created + 90_000,
    loginIp: '127.0.0.1',
    createTime: new Date(created).toISOString(),
  }
  const sorted = (info: typeof expected) => ({ ...info, permissions: [...info.permissions].sort() })
  t.strictSame(sorted(userInfo as typeof expected), expected)
  t.strictSame(Object.keys(userInfo).sort(), Object.keys(expected).sort())
  server.clock.advance(60)
  const answer = await server.call('GET', '/auth/userInfo', { token })
  t.strictSame(sorted(expectSuccess(t, answer)), expected, 'the time of the sign-in, not of the question')
  t.notMatch(answer.text, /argon2|password_?hash|remark|lastLogin/i)
  t.equal(answer.headers.get('cache-control'), 'no-store')
})

test('the kind of user decides admin and tenantAdmin', async (t) => {
  const server = await startServer(t)
  await server.addUser('boss', { userType: 1 })
  await server.addUser('alice')
  const rows: [username: string, userType: number, admin: boolean, tenantAdmin: boolean][] = [
    ['admin', 0, true, false],
    ['boss', 1, false, true],
    ['alice', 2, false, false],
  ]
  for (const [username, userType, admin, tenantAdmin] of rows) {
    const { userInfo } = await server.signIn(username)
    t.strictSame([userInfo.userType, userInfo.admin, userInfo.tenantAdmin], [userType, admin, tenantAdmin], username)
  }
})

test('what a user does not have is null or an empty list', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { userInfo } = await server.signIn('alice')
  const { phone, email, avatar, roleIds, roleKeys, permissions } = userInfo
  t.strictSame([phone, email, avatar], [null, null, null])
  t.strictSame([roleIds, roleKeys, permissions], [[], [], []])
})

test('permissions are a list of texts, each once', async (t) => {
  const server = await startServer(t)
  const { operator } = server
  await operator.addRole('one', 'One', ['a:b:c', 'a:*:*'])
  await operator.addRole('two', 'Two', ['a:b:c'])
  await operator.addRole('none', 'None', [])
  await server.addUser('alice', { roles: ['one', 'two', 'none'] })
  await server.addUser('bob')
  const rows: [username: string, permissions: string[]][] = [
    ['admin', ['*:*:*']],
    ['alice', ['a:*:*', 'a:b:c']],
    ['bob', []],
  ]
  for (const [username, permissions] of rows) {
    const { accessToken: token, userInfo } = await server.signIn(username)
    const data = expectSuccess<string[]>(t, await server.call('GET', '/auth/current/permissions', { token }))
    t.strictSame([...data].sort(), permissions, username)
    t.strictSame(userInfo.permissions, data, 'userInfo says the same')
  }
})

test('the last sign-in is written down', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  server.clock.advance(5)
  await server.signIn()
  const [record] = expectSuccess(t, await server.call('GET', '/system/user/page', { token })).records
  t.equal(record.loginCount, 2)
  t.equal(record.lastLoginTime, new Date(server.clock.now()).toISOString())
  t.equal(record.lastLoginIp, '127.0.0.1')
})

test('without a token nobody is told who they are', async (t) => {
  const server = await startServer(t)
  for (const path of ['/auth/userInfo', '/auth/current/permissions']) {
    const answer = await server.call('GET', path)
    expectProblem(t, answer, 'token_missing')
    t.strictSame(Object.keys(answer.body.data), ['reason'])
  }
})

test('the time of the password is that of its last change; without a password there is none', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { id } = await server.addUser('bob')
  const bob = (await server.signIn('bob')).accessToken
  await server.app.db.users.setPassword(id, null as unknown as string, false, server.clock.now())
  const { accessToken: token } = await server.signIn('alice')
  server.clock.advance(60)
  const json = { oldPassword: userPassword, newPassword: 'four plain unrelated words' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json }))
  const passwordTime = new Date(server.clock.now()).toISOString()
  server.clock.advance(60)
  t.match(expectSuccess(t, await server.call('GET', '/auth/userInfo', { token })), { passwordTime })
  t.match(expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: bob })), { passwordTime: null })
})
