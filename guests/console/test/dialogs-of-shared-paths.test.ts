import { test } from 'tap'
import { ChangePasswordRequest, LoginRequest } from '../../../schemas/login.js'
import { expectSuccess } from '../../../test/helpers/service/expect.js'
import { adminPassword, startServer, userPassword, type Answer } from '../../../test/helpers/service/server.js'
import { formOf } from '../../../test/helpers/service/upload.js'
import {
  CompatLinkRequest,
  CompatRolePageQuery,
  CompatUserExportQuery,
  CompatUserPageQuery,
} from '../schemas/shared.js'
import { createFrontEnd } from './front-end.js'

type FrontEnd = ReturnType<typeof createFrontEnd>

/** Names of fields, items of lists and requests, which mean nothing to a person. */
const forPrograms = /\b[a-z]+[A-Z]|\b\w+\.\d|\b(GET|POST|PATCH|PUT|DELETE)\b|\/[a-z]+\//

test('a change of the password and an import are refused in the words of the front end', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const change = (query: Record<string, string>) => (frontEnd: FrontEnd) =>
    frontEnd.query('/auth/changePassword', { oldPassword: adminPassword, newPassword: 'a brand new kettle', ...query })
  const upload =
    (...files: Parameters<typeof formOf>) =>
    (_frontEnd: FrontEnd, language: string) => {
      const { raw, headers } = formOf(...files)
      const sent = { token, raw, headers: { ...headers, 'accept-language': language } }
      return server.call('POST', '/system/user/import', sent)
    }
  const rows: [send: (frontEnd: FrontEnd, language: string) => Promise<Answer>, english: string, chinese: string][] = [
    [change({ newPassword: 'short' }), 'New password must have at least 8 characters', '新密码长度不能少于 8 个字符'],
    [
      change({ newPassword: 'password123' }),
      'New password is a common password, please choose another',
      '新密码过于常见，请更换',
    ],
    [
      change({ newPassword: adminPassword }),
      'New password must differ from the current password',
      '新密码不能与当前密码相同',
    ],
    [change({ newPassword: '' }), 'New password is required', '新密码不能为空'],
    [change({ oldPassword: 'wrong horse battery' }), 'The current password is wrong', '旧密码错误'],
    [upload({ name: 'other', content: 'x' }), 'The file is required', '文件不能为空'],
    [upload({ content: 'a\n1\n' }, { content: 'b' }), 'The file must be one file', '文件只能有一个'],
    [upload({ content: 'realName\nAlice\n' }), 'The file has no column username', '文件缺少“用户名”列（username）'],
  ]
  for (const [send, ...messages] of rows)
    for (const [index, language] of ['en', 'zh-CN'].entries()) {
      const answer = await send(createFrontEnd(server, token, { 'accept-language': language }), language)
      t.ok(answer.status >= 400)
      t.equal(answer.body.message, messages[index])
      t.notMatch(answer.body.message, /newPassword|oldPassword|\bfile\b.*:/)
    }
  const json = { oldPassword: adminPassword, newPassword: 'short' }
  const other = await server.call('POST', '/auth/changePassword', { token, json })
  t.match(other.body.message, /^The request is not valid: newPassword must/, 'other clients read names of fields')
  const headers = { 'x-page-path': '/profile' }
  const named = await server.call('POST', '/auth/changePassword', { token, json, headers })
  t.match(named.body.message, /^New password must/)
})

test('a disabled account is so in the word of the front end', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice')
  await server.operator.setEnabled('alice', false)
  const json = { username: 'alice', password: userPassword }
  const headers = { 'accept-language': 'zh-CN', 'x-page-path': '/login' }
  t.equal((await server.call('POST', '/auth/login', { json, headers })).body.message, '账号已禁用，请联系管理员')
  const log = createFrontEnd(server, (await server.signIn()).accessToken, headers)
  const [row] = expectSuccess(t, await log.get('/system/loginLog/page', { username: 'alice' })).records
  t.equal(row.loginMessage, '账号已禁用，请联系管理员')
})

test('no dialog on a path of our own has the name of a field either', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const wrong = 'x'.repeat(2000)
  const sent: [method: string, path: string, fields: string[]][] = [
    ['GET', '/system/user/page', Object.keys(CompatUserPageQuery.properties)],
    ['GET', '/system/user/export', Object.keys(CompatUserExportQuery.properties)],
    ['GET', '/system/role/page', Object.keys(CompatRolePageQuery.properties)],
    ['POST', '/social/bind', Object.keys(CompatLinkRequest.properties)],
    ['POST', '/auth/login', Object.keys(LoginRequest.properties)],
    ['POST', '/auth/changePassword', Object.keys(ChangePasswordRequest.properties)],
  ]
  let refusals = 0
  for (const [method, path, fields] of sent)
    for (const field of fields)
      for (const language of ['en', 'zh-CN']) {
        const headers = { 'accept-language': language, 'x-page-path': '/system/user' }
        const values = { [field]: wrong }
        const input = method === 'GET' ? { query: values } : { json: values }
        const answer = await server.call(method, path, { token, headers, ...input })
        if (answer.status === 200) continue
        refusals += 1
        t.notMatch(answer.body.message, forPrograms, `${path} ${field}`)
      }
  t.ok(refusals > 60, `${refusals} refusals`)
})
