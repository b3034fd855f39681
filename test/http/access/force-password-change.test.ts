import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword } from '../../helpers/service/server.js'

const next = 'brass kettle whistle'

const start = async (t: Parameters<typeof startServer>[0]) => {
  const server = await startServer(t)
  await server.operator.addRole('reader', 'Reader', ['*:*:*'])
  await server.addUser('alice', { forcePasswordChange: true, roles: ['reader'] })
  return server
}

test('whoever must change the password is told so at sign-in', async (t) => {
  const server = await start(t)
  const data = await server.signIn('alice')
  t.equal(data.forcePasswordChange, true)
  t.equal(data.userInfo.forcePasswordChange, true)
  const { accessToken: token } = data
  t.equal(expectSuccess(t, await server.call('GET', '/auth/userInfo', { token })).forcePasswordChange, true)
  const refreshed = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  t.equal(refreshed.forcePasswordChange, true)
})

/** What looking at oneself, changing the password and leaving need, beside the open routes. */
const allowedBefore = [
  'POST /auth/refreshToken',
  'POST /auth/pageSession',
  'GET /auth/userInfo',
  'GET /auth/current/permissions',
  'POST /auth/changePassword',
  'GET /auth/sessions',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/{id}',
  'POST /auth/stepUp',
  'GET /auth/factors',
  'DELETE /auth/trusted-devices',
  'DELETE /auth/trusted-devices/{id}',
]

test('P7: until then only what shows, changes or ends the own sign-in is accepted', async (t) => {
  const server = await start(t)
  const { accessToken: token } = await server.signIn('alice')
  const { paths } = server.app.swagger() as unknown as {
    paths: Record<string, Record<string, { security?: object[] }>>
  }
  const closed: string[] = []
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { security = [] }] of Object.entries(item)) {
      // Only what a token opens, and nothing else does.
      if (security.length !== 1 || !security.some((scheme) => 'bearer' in scheme)) continue
      const name = `${method.toUpperCase()} ${path}`
      const json = method === 'get' || method === 'delete' ? {} : { json: {} }
      const answer = await server.call(method.toUpperCase(), path.replace(/\{\w+\}/g, '1'), { token, ...json })
      const isClosed = answer.body.data?.reason === 'password_change_required'
      t.equal(isClosed, !allowedBefore.includes(name), name)
      if (isClosed) closed.push(name)
    }
  }
  t.ok(closed.includes('GET /system/user/page') && closed.length > 20)
  for (const path of ['//system/user/page', '/system//user/page'])
    expectProblem(t, await server.call('GET', path, { token }), 'password_change_required')
  const head = await server.call('HEAD', '/system/user/page', { token })
  t.strictSame([head.status, head.text], [403, ''])
  for (const path of [
    '/auth/userInfo',
    '/auth/current/permissions',
    '/auth/loginConfig',
    '/auth/captcha',
    '/health/ready',
  ])
    expectSuccess(t, await server.call('GET', path, { token }))
})

test('after the change everything works, for the very same token', async (t) => {
  const server = await start(t)
  const { accessToken: token } = await server.signIn('alice')
  const json = { oldPassword: userPassword, newPassword: next }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { json, token }))
  t.equal(expectSuccess(t, await server.call('GET', '/system/user/page', { token })).total, 2)
  t.equal(expectSuccess(t, await server.call('GET', '/auth/userInfo', { token })).forcePasswordChange, false)
  t.equal((await server.signIn('alice', next)).forcePasswordChange, false)
})

test('a refused change opens nothing', async (t) => {
  const server = await start(t)
  const { accessToken: token } = await server.signIn('alice')
  for (const json of [
    { oldPassword: userPassword, newPassword: userPassword },
    { oldPassword: userPassword, newPassword: 'short' },
    { oldPassword: 'wrong horse battery', newPassword: next },
  ]) {
    t.equal((await server.call('POST', '/auth/changePassword', { json, token })).status, 400)
    expectProblem(t, await server.call('GET', '/system/user/page', { token }), 'password_change_required')
  }
})

test('P7: a password set by an operator must be changed, also in sessions begun before', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const before = await server.signIn('alice')
  await server.operator.setPassword('alice', next, { forcePasswordChange: true })
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: before.accessToken }), 'session_revoked')
  const { accessToken: token, forcePasswordChange } = await server.signIn('alice', next)
  t.equal(forcePasswordChange, true)
  expectProblem(t, await server.call('GET', '/system/user/page', { token }), 'password_change_required')
})

test('the first administrator with a chosen password need not change it', async (t) => {
  const server = await startServer(t)
  const { accessToken: token, forcePasswordChange } = await server.signIn('admin', adminPassword)
  t.equal(forcePasswordChange, false)
  expectSuccess(t, await server.call('GET', '/system/user/page', { token }))
})

test('P7: a password set by somebody else opens the account for 30 days only, and one of the own for ever', async (t) => {
  const server = await start(t)
  await server.addUser('bob')
  const day = 24 * 3600
  server.clock.advance(30 * day - 1)
  await server.signIn('alice')
  server.clock.advance(1)
  const login = (username: string, password = userPassword) =>
    server.call('POST', '/auth/login', { json: { username, password } })
  expectProblem(t, await login('alice'), 'invalid_credentials')
  expectSuccess(t, await login('bob'))
  expectSuccess(t, await login('admin', adminPassword))

  await server.operator.setPassword('alice', next, { forcePasswordChange: true })
  const { accessToken: token } = await server.signIn('alice', next)
  const change = { oldPassword: next, newPassword: 'violet paper lantern' }
  expectSuccess(t, await server.call('POST', '/auth/changePassword', { token, json: change }))
  server.clock.advance(3650 * day)
  expectSuccess(t, await login('alice', 'violet paper lantern'))
})
