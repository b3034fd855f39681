import { test } from 'tap'
import { adminPassword, startServer, type CallOptions } from '../../helpers/service/server.js'

const english = 'Nothing was found at this address'
const chinese = '请求的地址不存在'

test('messages come in the language that the person prefers', async (t) => {
  const server = await startServer(t)
  const rows: [acceptLanguage: string, message: string][] = [
    ['zh', chinese],
    ['zh-CN', chinese],
    ['ZH-cn', chinese],
    ['zh-CN,zh;q=0.9,en;q=0.8', chinese],
    ['zh-CN;q=0.9,en;q=0.8', chinese],
    ['en;q=0.8,zh-CN;q=0.9', chinese],
    ['fr-FR,fr;q=0.9,zh;q=0.5', chinese],
    [' zh-CN , en ; q=0.1', chinese],
    ['zh_CN', chinese],
    ['zh_CN,zh;q=0.9,en_US;q=0.8', chinese],
    ['zh-Hans-CN', chinese],
    ['zh-Hant-TW', chinese],
    ['cmn-Hans-CN', chinese],
    ['yue-Hant-HK', chinese],
    ['en_US', english],
    ['ja_JP', english],
    ['en', english],
    ['en-GB,en;q=0.9,zh;q=0.8', english],
    ['zh;q=0.1,en;q=0.9', english],
    ['zh;q=0', english],
    ['fr', english],
    ['*', english],
    ['', english],
    [',', english],
    [';;;,,q=,%%,==', english],
    ['zh;q=abc;q=', english],
    ['x'.repeat(6000), english],
    ['__proto__', english],
    ['constructor,toString', english],
  ]
  for (const [acceptLanguage, message] of rows) {
    const answer = await server.call('GET', '/nowhere', { headers: { 'accept-language': acceptLanguage } })
    t.equal(answer.status, 404)
    t.equal(answer.body.message, message, acceptLanguage.slice(0, 30))
  }
  t.equal((await server.call('GET', '/nowhere')).body.message, english, 'without the header')
})

test('a very long list of languages is no trouble', async (t) => {
  const server = await startServer(t)
  const headers = { 'accept-language': Array.from({ length: 1200 }, (_, index) => `a${index};q=0.1`).join() }
  const start = process.cpuUsage()
  for (let round = 0; round < 20; round++) {
    t.equal((await server.call('GET', '/nowhere', { headers })).body.message, english)
  }
  const { user, system } = process.cpuUsage(start)
  t.ok(user + system < 3_000_000, 'twenty of them cost less than three seconds of processor')
})

test('successes, refusals and the faults of fields speak the same language', async (t) => {
  const server = await startServer(t)
  const headers = { 'accept-language': 'zh-CN,zh;q=0.9' }
  const json = { username: 'admin', password: adminPassword }
  t.equal((await server.call('POST', '/auth/login', { json, headers })).body.message, '操作成功')
  t.equal((await server.call('GET', '/health/live', { headers })).body.message, '操作成功')
  t.equal((await server.call('GET', '/auth/userInfo', { headers })).body.message, '请先登录')
  t.equal((await server.call('GET', '/auth/login', { headers })).body.message, '不支持该请求方法')
  const missing = await server.call('POST', '/auth/login', { json: { username: 'a' }, headers })
  t.match(missing.body.message, /^请求参数有误：\w+ 不能为空$/)
  t.same(missing.body.data.violations, [{ field: 'password', message: '不能为空' }])
  const wrong = await server.call('POST', '/auth/login', { json: { ...json, password: 'x' }, headers })
  t.equal(wrong.body.message, '用户名或密码错误')
  t.equal(wrong.body.data.reason, 'invalid_credentials', 'reasons stay as they are')
  const malformed = { raw: '{', headers: { ...headers, 'content-type': 'application/json' } }
  const body = await server.call('POST', '/auth/login', malformed)
  t.same(body.body.data.violations, [{ field: 'body', message: '必须是有效的 JSON，且键名不重复' }])
})

test('every message is a sentence in either language, without gaps', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const queries = ['pageNum=a', 'orderByColumn=a', 'isAsc=a', 'createTimeFrom=a', `username=${'a'.repeat(201)}`]
  for (const language of ['en', 'zh']) {
    for (const query of queries) {
      const headers = { 'accept-language': language }
      const { body } = await server.call('GET', '/system/user/page', { token, query, headers })
      const [violation] = body.data.violations
      t.notMatch(violation.message, /[{}]|undefined|null|^$/)
      t.equal(/[\u4e00-\u9fff]/.test(violation.message), language === 'zh', violation.message)
    }
  }
})

test('the message of a form error says what is wrong first, in both languages', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const change = (newPassword: string) => ({ token, json: { oldPassword: adminPassword, newPassword } })
  const rows: [method: string, path: string, options: CallOptions, en: string, zh: string][] = [
    ['POST', '/auth/login', { json: {} }, 'username is required', 'username 不能为空'],
    [
      'POST',
      '/auth/changePassword',
      change('short'),
      'newPassword must have at least 8 characters',
      'newPassword 长度不能少于 8 个字符',
    ],
    [
      'POST',
      '/auth/changePassword',
      change('password123'),
      'newPassword is a common password, please choose another',
      'newPassword 密码过于常见，请更换',
    ],
    [
      'GET',
      '/system/user/page',
      { token, query: { pageNum: 'x', pageSize: 'y' } },
      'pageNum must be an integer',
      'pageNum 必须是整数',
    ],
    [
      'GET',
      '/system/user/page',
      { token, query: { isAsc: 'up', orderByColumn: 'id' } },
      'isAsc must be asc or desc, one for each column',
      'isAsc 必须是 asc 或 desc，且与列一一对应',
    ],
  ]
  for (const [method, path, options, en, zh] of rows) {
    const english = await server.call(method, path, options)
    t.equal(english.body.message, `The request is not valid: ${en}`)
    const [first] = english.body.data.violations as { field: string; message: string }[]
    t.equal(`${first?.field} ${first?.message}`, en, 'the first of the violations')
    t.notMatch(english.text, /short|password123/, 'never what was sent')
    const chinese = await server.call(method, path, { ...options, headers: { 'accept-language': 'zh-CN' } })
    t.equal(chinese.body.message, `请求参数有误：${zh}`)
  }
  const refused = await server.call('POST', '/auth/login', { json: { username: 'admin', password: 'wrong' } })
  t.equal(refused.body.message, 'Wrong user name or password', 'without violations nothing is added')
})
