import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, startServer } from '../../helpers/service/server.js'

const credentials = { username: 'admin', password: adminPassword }

test('the fields that a method needs and that are missing are named', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, json: object | undefined, fields: string[]][] = [
    ['no body', undefined, ['username', 'password']],
    ['an empty object', {}, ['username', 'password']],
    ['no name', { password: adminPassword }, ['username']],
    ['no password', { username: 'admin' }, ['password']],
    ['null for a name', { ...credentials, username: null }, ['username']],
    ['an empty password', { ...credentials, password: '' }, ['password']],
    ['fields of other methods instead', { phone: '13800138000', email: 'a@example.com' }, ['username', 'password']],
    ['names in another case', { Username: 'admin', PASSWORD: adminPassword }, ['username', 'password']],
    [
      'no name for password_captcha',
      { authType: 'password_captcha', code: 'A', codeKey: 'B' },
      ['username', 'password'],
    ],
  ]
  for (const [sentence, json, fields] of rows) {
    await t.test(sentence, async (t) => {
      const answer = await server.call('POST', '/auth/login', json === undefined ? {} : { json })
      expectProblem(t, answer, 'invalid_request', fields)
      for (const { message } of answer.body.data.violations) t.equal(message, 'is required')
      t.notMatch(answer.text, adminPassword)
    })
  }
})

test('every field takes text and nothing else', async (t) => {
  const server = await startServer(t)
  const fields = ['username', 'password', 'authType', 'code', 'codeKey', 'phone', 'email', 'authCode', 'socialTicket']
  for (const field of fields) {
    await t.test(field, async (t) => {
      // A code of digits may be a number where the existing console is served.
      for (const value of [field === 'code' ? 7.5 : 7, true, ['text'], { text: 'text' }, { $ne: null }]) {
        const answer = await server.call('POST', '/auth/login', { json: { ...credentials, [field]: value } })
        expectProblem(t, answer, 'invalid_request', [field])
      }
    })
  }
})

test('what a method does not need is ignored, and so is what nobody knows', async (t) => {
  const server = await startServer(t)
  const rows: [sentence: string, more: object][] = [
    ['fields of other methods', { phone: 'x', email: 'y', authCode: 'z', socialTicket: '0', code: 'A', codeKey: 'B' }],
    ['the same, empty', { phone: '', email: '', authCode: '', socialTicket: '', code: '', codeKey: '' }],
    ['the same, null', { phone: null, email: null, authCode: null, socialTicket: null, code: null, codeKey: null }],
    [
      'unknown fields of every type',
      { rememberMe: true, device: { os: 'x' }, list: [1, [2]], number: 1.5, none: null },
    ],
    ['fields that would be dangerous to believe', { userId: 2, admin: true, forcePasswordChange: false, roleIds: [9] }],
  ]
  for (const [sentence, more] of rows) {
    await t.test(sentence, async (t) => {
      const data = expectSuccess(t, await server.call('POST', '/auth/login', { json: { ...credentials, ...more } }))
      t.equal(data.userInfo.username, 'admin')
      t.strictSame(data.userInfo.roleIds, [1])
    })
  }
})

test('the client kind is one of four; absent it is pc', async (t) => {
  const server = await startServer(t)
  const rows: [userClient: unknown, expected: string | undefined][] = [
    [undefined, 'pc'],
    [null, 'pc'],
    ['', 'pc'],
    ['pc', 'pc'],
    ['app', 'app'],
    ['h5', 'h5'],
    ['wechat', 'wechat'],
    ['PC', undefined],
    ['pc ', undefined],
    ['web', undefined],
    ['mini', undefined],
    ['__proto__', undefined],
    [0, undefined],
    [['pc'], undefined],
  ]
  for (const [userClient, expected] of rows) {
    await t.test(`${JSON.stringify(userClient)} is ${expected ?? 'refused'}`, async (t) => {
      const answer = await server.call('POST', '/auth/login', { json: { ...credentials, userClient } })
      if (expected === undefined) expectProblem(t, answer, 'invalid_request', ['userClient'])
      else t.equal(expectSuccess(t, answer).userInfo.userClient, expected)
    })
  }
})

test('authType chooses the method; absent it is password', async (t) => {
  const server = await startServer(t)
  for (const authType of [undefined, null, '', 'password']) {
    expectSuccess(t, await server.call('POST', '/auth/login', { json: { ...credentials, authType } }))
  }
  const unknown = ['Password', 'password ', 'PASSWORD_CAPTCHA', 'ldap', 'toString', '__proto__', 'constructor', '密码']
  for (const authType of unknown) {
    await t.test(`${authType} is no method`, async (t) => {
      const answer = await server.call('POST', '/auth/login', { json: { ...credentials, authType } })
      expectProblem(t, answer, 'unsupported_auth_type')
      t.notMatch(answer.text, 'accessToken')
    })
  }
})

test('a method that is not offered is refused whatever comes with it', async (t) => {
  const server = await startServer(t)
  const offered = expectSuccess(t, await server.call('GET', '/auth/loginConfig')).authTypes
  const all = ['password', 'password_captcha', 'phone_captcha', 'email_captcha', 'oauth2', 'social']
  for (const authType of all.filter((name) => !offered.includes(name))) {
    for (const more of [
      {},
      credentials,
      { phone: '13800138000', email: 'a@example.com', code: '1', socialTicket: '2' },
    ]) {
      expectProblem(
        t,
        await server.call('POST', '/auth/login', { json: { authType, ...more } }),
        'unsupported_auth_type',
      )
    }
  }
  t.ok(offered.includes('password') && offered.includes('password_captcha'))
})
