import { test } from 'tap'
import { fingerprint } from '../../helpers/values/compare.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer, userPassword } from '../../helpers/service/server.js'

test('a right password signs in and returns exactly the login result', async (t) => {
  const server = await startServer(t)
  const answer = await server.call('POST', '/auth/login', { json: { username: 'admin', password: adminPassword } })
  const data = expectSuccess(t, answer)
  t.same(Object.keys(data).sort(), ['accessToken', 'expiresIn', 'forcePasswordChange', 'tokenType', 'userInfo'])
  t.equal(data.tokenType, 'Bearer')
  t.equal(data.expiresIn, 1800)
  t.equal(data.forcePasswordChange, false)
  t.match(data.accessToken, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.match(
    answer.headers.getSetCookie(),
    [/^rollcall_device_[0-9a-f]{8}=/],
    'the device cookie, and no session in a cookie',
  )
  t.notMatch(answer.headers.get('set-cookie'), data.accessToken)
  t.notMatch(answer.text, /argon2|hash|password"/i)
  t.notMatch(answer.text, adminPassword)
  const info = await server.call('GET', '/auth/userInfo', { token: data.accessToken })
  t.strictSame(expectSuccess(t, info), data.userInfo, 'userInfo is the same as asked for later')
})

test('every sign-in gets a token and a session of its own', async (t) => {
  const server = await startServer(t)
  const [first, second] = [await server.signIn(), await server.signIn()]
  t.not(first.accessToken, second.accessToken)
  expectSuccess(t, await server.call('POST', '/auth/logout', { token: first.accessToken }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: first.accessToken }), 'session_revoked')
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: second.accessToken }))
})

test('whatever is wrong about the credentials, the answer is the same', async (t) => {
  const server = await startServer(t, { settings: { captcha: { mode: 'never' } } })
  const { operator } = server
  const { db } = server.app
  const closed = await operator.addTenant('Closed')
  await server.addUser('alice')
  await server.addUser('disabled')
  await server.addUser('guest', { tenantId: closed.id })
  await operator.setEnabled('disabled', false)
  await db.tenants.setEnabled(closed.id, false, server.clock.now())
  const rows: [sentence: string, json: object][] = [
    ['a wrong password', { username: 'alice', password: 'wrong horse battery' }],
    ['an unknown name', { username: 'nobody', password: userPassword }],
    ['the name of another tenant', { username: 'guest', password: userPassword }],
    ['an unknown tenant', { username: 'alice', password: userPassword, tenantId: 999 }],
    ['a disabled account and a wrong password', { username: 'disabled', password: 'wrong horse battery' }],
    ['a disabled tenant and a wrong password', { username: 'guest', password: 'wrong', tenantId: closed.id }],
    ['a password that only differs in case', { username: 'alice', password: userPassword.toUpperCase() }],
    ['the hash instead of the password', { username: 'alice', password: '$argon2id$v=19$m=19456,t=2,p=1$YQ$YQ' }],
    ['SQL in the name', { username: "alice' or '1'='1", password: "' or '1'='1" }],
  ]
  const seen = new Set<string>()
  for (const [sentence, json] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await server.call('POST', '/auth/login', { json })
      expectProblem(t, answer, 'invalid_credentials')
      t.equal(answer.headers.get('www-authenticate'), null, 'nobody is signed out by it')
      seen.add(JSON.stringify(fingerprint(answer)))
    })
  }
  t.equal(seen.size, 1, 'status, headers and body do not tell them apart')
})

test('names are compared without case and width, passwords are not', async (t) => {
  const server = await startServer(t)
  for (const username of ['admin', 'ADMIN', 'Ａdmin']) {
    const answer = await server.call('POST', '/auth/login', { json: { username, password: adminPassword } })
    t.equal(expectSuccess(t, answer).userInfo.username, 'admin')
  }
})

test('the message of a refusal is in the language of the person', async (t) => {
  const server = await startServer(t)
  const json = { username: 'admin', password: 'wrong horse battery' }
  const rows: [language: string, message: RegExp][] = [
    ['en', /^Wrong user name/],
    ['zh-CN', /^用户名或密码错误$/],
    ['zh-CN,zh;q=0.9,en;q=0.8', /^用户名或密码错误$/],
    ['fr', /^Wrong user name/],
  ]
  for (const [language, message] of rows) {
    const answer = await server.call('POST', '/auth/login', { json, headers: { 'accept-language': language } })
    // Whatever the count of tries says by now, it says it in the right language.
    if (answer.body.data.reason === 'captcha_required') t.match(answer.body.message, /[a-z]|[\u4e00-\u9fff]/)
    else t.match(answer.body.message, message)
  }
})
