import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const credentials = { username: 'admin', password: adminPassword }

test('code is the number 200, the content type contains json, and there is a message', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows: [method: string, path: string, options: object][] = [
    ['POST', '/auth/login', { json: credentials }],
    ['GET', '/auth/userInfo', { token }],
    ['GET', '/auth/current/permissions', { token }],
    ['GET', '/auth/captcha', {}],
    ['GET', '/auth/loginConfig', {}],
    ['GET', '/system/user/page', { token }],
    ['POST', '/auth/refreshToken', { token }],
    ['POST', '/auth/logout', {}],
  ]
  for (const [method, path, options] of rows) {
    const { body, headers } = await server.call(method, path, options)
    t.equal(body.code, 200, `${method} ${path}`)
    t.match(headers.get('content-type'), 'json')
    t.ok(body.message.length > 0)
    t.notHas(body, { msg: String })
  }
})

test('wrong credentials are 400 with a message to show, never 401, which the sign-in page would swallow', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, json: object][] = [
    ['a wrong password', { ...credentials, password: 'wrong horse battery' }],
    ['an unknown name', { ...credentials, username: 'nobody' }],
    ['an empty form', { username: '', password: '' }],
    ['a wrong captcha', { ...credentials, authType: 'password_captcha', code: 'x', codeKey: 'captcha:x' }],
    ['no captcha', { ...credentials, authType: 'password_captcha', code: '', codeKey: '' }],
    ['a method that does not exist', { ...credentials, authType: 'ldap' }],
  ]
  for (const [sentence, json] of rows) {
    await t.test(sentence, async (t) => {
      const { status, body, headers } = await server.call('POST', '/auth/login', { json })
      t.strictSame([status, body.code], [400, 400])
      t.match(body.message, /^[A-Z].{5,}/)
      t.equal(headers.get('www-authenticate'), null)
    })
  }
})

test('401 means that the session is gone, and nothing else does', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  expectProblem(t, await server.call('GET', '/system/user/page', { token }), 'permission_denied')
  expectProblem(t, await server.call('GET', '/nowhere', { token }), 'not_found')
  const json = { oldPassword: 'wrong horse battery', newPassword: 'brass kettle whistle' }
  expectProblem(t, await server.call('POST', '/auth/changePassword', { token, json }), 'invalid_credentials')
  await server.call('POST', '/auth/logout', { token })
  expectProblem(t, await server.call('GET', '/system/user/page', { token }), 'session_revoked')
})

test('429 carries a message that a person can read', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' }, lockout: { nameFailures: 1 } } })
  const json = { ...credentials, password: 'wrong horse battery' }
  await server.call('POST', '/auth/login', { json })
  const rows: [language: string, message: RegExp][] = [
    ['en', /wait/],
    ['zh-CN', /稍后/],
  ]
  for (const [language, message] of rows) {
    const answer = await server.call('POST', '/auth/login', { json, headers: { 'accept-language': language } })
    expectProblem(t, answer, 'too_many_attempts')
    t.match(answer.body.message, message)
  }
})

test('userInfo has a userId, a numeric tenant, booleans that drive the screen, and no missing list', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  for (const username of ['admin', 'alice']) {
    const { userInfo, forcePasswordChange } = await server.signIn(username)
    t.ok(Number.isInteger(userInfo.userId))
    t.equal(userInfo.tenantId, 1)
    t.type(userInfo.admin, 'boolean')
    t.type(userInfo.tenantAdmin, 'boolean')
    t.ok([userInfo.roleIds, userInfo.roleKeys, userInfo.permissions].every(Array.isArray))
    t.equal(userInfo.forcePasswordChange, false)
    t.equal(forcePasswordChange, false)
  }
  await server.addUser('bob', { forcePasswordChange: true })
  t.equal((await server.signIn('bob')).forcePasswordChange, true)
})

test('the picture of a captcha goes straight into an image tag', async (t) => {
  const server = await startServer(t)
  const { image, codeKey } = expectSuccess(t, await server.call('GET', '/auth/captcha', { query: 't=1780300800000' }))
  t.match(image, /^data:image\/png;base64,iVBORw0KGgo/)
  t.match(codeKey, /./)
})

test('loginConfig has enableCaptcha, captchaType, platforms, and a look that may be null', async (t) => {
  const server = await startServer(t)
  const query = { userClient: 'pc', tenantId: '' }
  const data = expectSuccess(t, await server.call('GET', '/auth/loginConfig', { query }))
  t.type(data.enableCaptcha, 'boolean')
  t.equal(data.captchaType, 'graphical')
  t.ok(Array.isArray(data.socialPlatforms))
  for (const name of ['systemName', 'systemLogo', 'browserTitle', 'copyrightInfo']) t.equal(data[name], null, name)
})

test('permissions are an array of strings', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  t.strictSame(expectSuccess(t, await server.call('GET', '/auth/current/permissions', { token })), ['*:*:*'])
})
