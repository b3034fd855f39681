import { test } from 'tap'
import { expectProblem } from '../../../test/helpers/service/expect.js'
import { startServer, userPassword, type Answer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'

interface Parameter {
  name: string
  in: string
}
interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[]; requestBody?: { content: Record<string, any> } }>>
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> }
}

type FrontEnd = ReturnType<typeof createFrontEnd>

/** Names of fields, items of lists and requests, which mean nothing to a person. */
const forPrograms = /\b[a-z]+[A-Z]|\b\w+\.\d|\b(GET|POST|PATCH|PUT|DELETE)\b|\/[a-z]+\//

test('a dialog says what is wrong in the words of the form, in the language of the person', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { accessToken: token } = await server.signIn()
  const frontEnds = [
    createFrontEnd(server, token, { 'accept-language': 'en' }),
    createFrontEnd(server, token, { 'accept-language': 'zh-CN' }),
  ]
  const form = { username: 'new', realName: 'New', password: userPassword }
  const add = (fields: object) => (frontEnd: FrontEnd) => frontEnd.json('/system/user/add', { ...form, ...fields })
  const profile = (json: object) => (frontEnd: FrontEnd) => frontEnd.json('/system/user/updateProfile', json)
  const rows: [send: (frontEnd: FrontEnd) => Promise<Answer>, english: string, chinese: string][] = [
    [add({ password: 'short' }), 'Password must have at least 8 characters', '密码长度不能少于 8 个字符'],
    [
      add({ phone: '12' }),
      'Phone number must be a phone number: a mobile number (China) such as 131 2345 6789, or one with its country code, such as +44 7400 123456',
      '手机号格式不正确：请填写中国的手机号，如 131 2345 6789，或带国家代码的号码，如 +44 7400 123456',
    ],
    [add({ username: 'alice' }), 'User name is already taken', '用户名已被使用'],
    [
      add({ username: '', realName: '' }),
      'User name is required; Real name is required',
      '用户名不能为空；姓名不能为空',
    ],
    [add({ tenantId: 99 }), 'Tenant is not a known tenant', '租户不存在'],
    [add({ idCard: '1' }), 'ID card number is not stored: leave it empty', '身份证号不支持保存，请留空'],
    [
      (frontEnd) => frontEnd.json('/system/user/removeBatch', [id, 1]),
      'User no. 2 is your own account',
      '第 2 个用户不能操作自己的账号',
    ],
    [
      (frontEnd) => frontEnd.json('/system/user/removeBatch', [id, 'x']),
      'User no. 2 must be an integer',
      '第 2 个用户必须是整数',
    ],
    [
      (frontEnd) => frontEnd.query('/system/user/resetPwd', { id: 999, password: userPassword }),
      'User does not exist any more',
      '用户不存在或已删除',
    ],
    [(frontEnd) => frontEnd.get('/system/loginLog/999'), 'Row does not exist any more', '记录不存在或已删除'],
    [(frontEnd) => frontEnd.get('/system/loginLog/x'), 'Row must be an integer', '记录必须是整数'],
    [
      (frontEnd) => frontEnd.query('/auth/online/kickout', { tokenValue: 'x' }),
      'Session does not exist any more',
      '会话不存在或已删除',
    ],
    [
      (frontEnd) => frontEnd.query('/auth/online/ban', { userId: id, banSeconds: 0 }),
      'Length of the ban must be at least 1',
      '封禁时长不能小于 1',
    ],
    [
      profile({ phone: '13800138000' }),
      'Phone number cannot be changed here: a code has to be sent to the new one',
      '手机号不能在此修改：需要向新的联系方式发送验证码',
    ],
    [profile({ username: 'other' }), 'User name cannot be changed', '用户名不能修改'],
    [
      (frontEnd) => frontEnd.json('/system/user/removeBatch', [id, 999]),
      'User no. 2 is no user that you may see',
      '第 2 个用户不存在',
    ],
    [
      (frontEnd) => frontEnd.json('/system/user/batch/tenants', { userIds: [id, 999], tenantId: 1 }),
      'User no. 2 does not exist any more',
      '第 2 个用户不存在或已删除',
    ],
    [add({ password: 'password123' }), 'Password is a common password, please choose another', '密码过于常见，请更换'],
  ]
  for (const [send, ...messages] of rows)
    for (const [index, frontEnd] of frontEnds.entries()) {
      const answer = await send(frontEnd)
      t.ok(answer.status >= 400)
      t.equal(answer.body.message, messages[index])
    }
})

test('a user who is banned is told until when, in local time', async (t) => {
  const server = await startServer(t, { settings: { timeZone: 'Asia/Shanghai' } })
  const { id: userId } = await server.addUser('alice')
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  const messageOf = async (banSeconds: number, language: string) => {
    await frontEnd.query('/auth/online/ban', { userId, banSeconds, reason: 'x' })
    const json = { username: 'alice', password: userPassword }
    const answer = await server.call('POST', '/auth/login', { json, headers: { 'accept-language': language } })
    expectProblem(t, answer, 'account_banned')
    return answer.body.message
  }
  const english = 'This account is blocked by an administrator'
  t.equal(await messageOf(3600, 'en'), `${english} until 2026-06-01 17:00:00`)
  t.match(await messageOf(3600, 'zh-CN'), /，2026-06-01 17:00:00 之后可登录$/)
  t.equal(await messageOf(-1, 'en'), english, 'a ban without an end names none')
})

test('somebody who ranks higher is said to, and the text is not about two people', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { id: boss } = await server.addUser('boss', { userType: 1 })
  const token = await signInAs(server, 'clerk', { permissions: ['system:user:delete'] })
  const frontEnd = createFrontEnd(server, token, { 'accept-language': 'zh-CN' })
  const answer = await frontEnd.json('/system/user/removeBatch', [id, boss])
  t.equal(answer.body.message, '第 2 个用户的权限高于您')
})

test('no dialog has the name of a field or of a request', async (t) => {
  const server = await startServer(t)
  const document = JSON.parse((await server.call('GET', '/openapi-compat.json')).text) as Document
  const token = await signInAs(server, 'boss', { userType: 1, permissions: ['*:*:*'] })
  const wrong = 'x'.repeat(2000)
  let refusals = 0
  const check = async (method: string, path: string, query: string, json?: unknown) => {
    for (const language of ['en', 'zh-CN']) {
      const headers = { 'accept-language': language }
      const answer = await server.call(method, path, { token, query, headers, ...(json === undefined ? {} : { json }) })
      if (answer.status === 200) continue
      refusals += 1
      t.notMatch(answer.body.message, forPrograms, `${method} ${path} ${query} ${JSON.stringify(json)}`)
    }
  }
  for (const [template, item] of Object.entries(document.paths))
    for (const [name, { parameters = [], requestBody }] of Object.entries(item)) {
      const method = name.toUpperCase()
      const path = template.replace(/\{\w+\}/, '999')
      for (const one of parameters)
        if (one.in === 'query') await check(method, path, `${one.name}=${wrong}`)
        else await check(method, template.replace(`{${one.name}}`, 'x'.repeat(90)), '')
      const reference = requestBody?.content['application/json']?.schema.$ref as string | undefined
      if (reference === undefined) continue
      await check(method, path, '', {})
      await check(method, path, '', [])
      await check(method, path, '', ['x'])
      const { properties = {} } = document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}
      for (const property of Object.keys(properties))
        for (const value of [wrong, { a: 1 }, ['x'], -5]) await check(method, path, '', { [property]: value })
    }
  t.ok(refusals > 150, `${refusals} refusals`)
})
