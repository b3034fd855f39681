import { test, type Test } from 'tap'
import { fingerprint } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { userPassword, type Answer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'

/** What a stranger sees of an answer, without the random key of a code that is said to be on its way. */
const withoutKey = (answer: Answer) => {
  const { text, ...rest } = fingerprint(answer)
  return { ...rest, text: text.replace(/"codeKey":"[^"]+"/, '') }
}

const start = async (t: Test) => {
  const messages = await startWithMessages(t, { settings: { captcha: { mode: 'never' } } })
  const { server } = messages
  const { accessToken: token } = await server.signIn()
  await server.operator.addRole('lister', 'Lister', ['system:user:list'])
  const json = { username: 'nightly', userType: 3, roleKeys: ['lister'] }
  const { id } = expectSuccess(t, await server.call('POST', '/system/user', { token, json }))
  const call = (method: string, path: string, body?: object) =>
    server.call(method, path, { token, ...(body === undefined ? {} : { json: body }) })
  return { ...messages, token, id: id as number, call }
}

test('every way to a session answers for a service account as for a name that nobody has', async (t) => {
  const { server, post, mailServer } = await start(t)
  const ways: [path: string, body: (username: string) => object][] = [
    ['/auth/login', (username) => ({ username, password: userPassword })],
    ['/auth/login', (username) => ({ authType: 'password', username, password: '' })],
    ['/auth/login', (username) => ({ authType: 'email_captcha', email: `${username}@example.com`, code: '123456' })],
    ['/auth/login', (username) => ({ authType: 'phone_captcha', phone: username, code: '123456' })],
    ['/auth/password/forgot', (username) => ({ recipient: `${username}@example.com` })],
    [
      '/auth/password/reset',
      (username) => ({ recipient: `${username}@example.com`, code: '123456', newPassword: 'a brand new kettle' }),
    ],
  ]
  for (const [path, body] of ways) {
    const [service, nobody] = [await post(path, body('nightly')), await post(path, body('nothing'))]
    t.equal(service.body.data?.accessToken, undefined)
    t.strictSame(withoutKey(service), withoutKey(nobody), `${path} ${JSON.stringify(body('nightly'))}`)
  }
  t.equal(mailServer.mails.length, 0)
  const { total } = (await server.call('GET', '/system/session/page', { token: (await server.signIn()).accessToken }))
    .body.data
  t.equal(total, 2, 'those of the administrator alone')
})

test('a service account that somebody gave a password in the database does not sign in either', async (t) => {
  const { server, id } = await start(t)
  const { db, passwords } = server.app
  await db.users.setPassword(id, await passwords.hash(userPassword), false, server.clock.now())
  const json = { username: 'nightly', password: userPassword }
  expectProblem(t, await server.call('POST', '/auth/login', { json }), 'invalid_credentials')
  t.same(await db.sessions.live(id, server.clock.now()), [])
})

test('a service account is given nothing by which it could sign in', async (t) => {
  const { server, token, id, call } = await start(t)
  const rows: [method: string, path: string, body: object | undefined, fields: string[]][] = [
    ['POST', `/system/user/${id}/password`, { password: 'a brand new kettle' }, ['password']],
    ['POST', `/system/user/${id}/invite`, undefined, ['id']],
    ['PATCH', `/system/user/${id}`, { password: 'a brand new kettle' }, ['password']],
    ['PATCH', `/system/user/${id}`, { phone: '13800138001' }, ['phone']],
    ['PATCH', `/system/user/${id}`, { email: 'job@example.com' }, ['email']],
    ['PATCH', `/system/user/${id}`, { userType: 2 }, ['userType']],
    ['POST', '/system/user', { username: 'x', userType: 3, forcePasswordChange: true }, ['forcePasswordChange']],
  ]
  for (const [method, path, body, fields] of rows)
    expectProblem(t, await call(method, path, body), 'invalid_request', fields)
  const csv =
    'username,userType,password,phone,email\r\njob,3,a brand new kettle,,\r\njob,3,,13800138002,\r\njob,3,,,job@example.com\r\n'
  const report = expectSuccess(t, await importFile(server, token, csv))
  t.equal(report.added, 0)
  t.match(JSON.stringify(report), /service accounts/)
  const added = expectSuccess(t, await importFile(server, token, 'username,userType\r\njob,3\r\n'))
  t.equal(added.added, 1)
  t.match(await server.app.db.users.findByUsername(1, 'job'), { userType: 3, passwordHash: null, invitedTime: null })
  const shown = expectSuccess(t, await call('GET', `/system/user/${id}`))
  t.match(shown, { hasWayIn: false, notInvitable: 'service_account', phone: null, email: null })
})

test('a service account is no last administrator, lacks no second factor, and ranks as a user', async (t) => {
  const { server, id, call } = await start(t)
  const withoutFactor = (await call('GET', '/system/user/page?hasSecondFactor=false&pageSize=100')).body.data
  t.notOk(withoutFactor.records.some((user: { id: number }) => user.id === id))
  t.equal((await call('GET', '/system/user/page?userType=3')).body.data.total, 1)
  expectSuccess(t, await call('PUT', `/system/user/${id}/roles`, { roleKeys: ['admin'] }))
  // With all permissions it is still none of those who can administer.
  await t.rejects(server.operator.remove(1), { code: 'last_administrator' })
  await server.operator.addRole('manager', 'Manager', ['system:user:add', 'system:user:edit', 'system:user:list'])
  await server.addUser('mary', { roles: ['manager'] })
  const { accessToken: mary } = await server.signIn('mary')
  const asMary = (method: string, path: string, json?: object) =>
    server.call(method, path, { token: mary, ...(json === undefined ? {} : { json }) })
  expectProblem(t, await asMary('POST', '/system/user', { username: 'bot', userType: 3 }), 'invalid_request', [
    'userType',
  ])
  expectProblem(t, await asMary('PATCH', `/system/user/${id}`, { remark: 'x' }), 'permission_denied')
  expectSuccess(t, await call('PUT', `/system/user/${id}/roles`, { roleKeys: [] }))
  expectSuccess(t, await asMary('PATCH', `/system/user/${id}`, { remark: 'x' }))
})
