import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { createFrontEnd } from './front-end.js'
import { startLinking } from '../../../test/helpers/peers/linking.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'

test('the menu has the pages whose list a person may see, in the own language', async (t) => {
  const server = await startServer(t)
  const menu = async (token: string, headers = {}) =>
    expectSuccess(t, await createFrontEnd(server, token, headers).get('/auth/current/menu')) as Record<string, any>[]
  const names = async (permissions: string[], headers = {}) => {
    const [folder] = await menu(await signInAs(server, `user-${permissions.join()}`, { permissions }), headers)
    return folder?.['children'].map(({ resourceName }: { resourceName: string }) => resourceName)
  }
  t.same(await names(['*:*:*']), ['Users', 'Online users', 'Login log'])
  t.same(await names(['system:*:*'], { 'accept-language': 'zh-CN' }), ['用户管理', '在线用户', '登录日志'])
  t.same(await names(['system:user:list']), ['Users'])
  t.same(await names(['system:session:list', 'system:user:view']), ['Online users'])
  const shown = { visible: 1, menuStatus: 1 }
  const folder = { id: 1, parentId: 0, resourceName: 'System', resourceType: 1, path: '/system', ...shown }
  const page = { parentId: 1, resourceType: 2, ...shown, children: [] }
  const pages = [
    { id: 3, resourceName: 'Online users', path: '/system/online', component: 'system/online/index', sort: 2 },
    { id: 4, resourceName: 'Login log', path: '/system/login-log', component: 'system/login-log', sort: 3 },
  ]
  const further = [
    { icon: 'ai-icon:monitor', perms: 'system:session:list' },
    { icon: 'ai-icon:log', perms: 'system:loginlog:list' },
  ]
  const permissions = ['system:session:*', 'system:loginlog:list', 'system:role:list', 'system:tenant:list']
  t.strictSame(await menu(await signInAs(server, 'keeper', { permissions })), [
    {
      ...{ ...folder, sort: 1, icon: 'ai-icon:settings' },
      children: pages.map((one, index) => ({ ...page, ...one, ...further[index] })),
    },
  ])
  t.strictSame(await menu(await signInAs(server, 'nobody')), [], 'no folder without a page')
  t.strictSame(await menu(await signInAs(server, 'viewer', { permissions: ['system:user:view'] })), [])
  const forced = await signInAs(server, 'forced', { permissions: ['*:*:*'], forcePasswordChange: true })
  t.equal((await menu(forced)).length, 1, 'also before a forced change of the password')
  expectProblem(t, await server.call('GET', '/auth/current/menu'), 'token_missing')
})

test('the profile comes back whole, and only what differs is changed', async (t) => {
  const server = await startServer(t)
  const contacts = { phone: '13800138000', email: 'alice@example.com' }
  const { id } = await server.addUser('alice', contacts)
  const frontEnd = createFrontEnd(server, (await server.signIn('alice')).accessToken)
  const save = (json: object) => frontEnd.json('/system/user/updateProfile', { username: 'alice', ...json })
  t.equal(expectSuccess(t, await save({ realName: 'Alice', ...contacts })), null)
  t.match(await server.app.db.users.find(id), { realName: 'Alice', ...contacts })
  const masked = { phone: '138******8000', email: 'a******e@example.com', avatar: 'https://example.com/a.png' }
  expectSuccess(t, await save({ realName: '', ...masked }))
  const stored = { realName: 'Alice', ...contacts, avatar: 'https://example.com/a.png' }
  t.match(await server.app.db.users.find(id), stored)
  const refused: [object, string[], RegExp][] = [
    [{ username: 'bob' }, ['username'], /^User name cannot be changed$/],
    [{ phone: '13900139000' }, ['phone'], /^Phone number cannot be changed here: a code/],
    [{ email: 'new@example.com' }, ['email'], /^E-mail address cannot be changed here: a code/],
    [{ realName: 'x\u0007' }, ['realName'], /^Real name must be/],
    [{ avatar: 'javascript:alert(1)' }, ['avatar'], /^Picture must be a https address/],
  ]
  for (const [json, fields, message] of refused) {
    const answer = await save({ realName: 'Other', ...json })
    expectProblem(t, answer, 'invalid_request', fields)
    t.match(answer.body.message, message)
  }
  t.match(await server.app.db.users.find(id), stored)
})

test('identities are shown by platform, linked by the code of the provider, and unlinked', async (t) => {
  const { server, join, visit, enter } = await startLinking(t, {
    platforms: { corporate: {}, partner: {} },
    federation: { unknownIdentity: 'refuse' },
  })
  const token = await join('anna')
  const frontEnd = createFrontEnd(server, token)
  const bindings = async () =>
    expectSuccess(t, await frontEnd.get('/social/user/bindings')) as Record<string, unknown>[]
  const free = { platformLogo: null, bound: false, nickname: null, email: null }
  const corporate = { platform: 'corporate', platformName: 'corporate', ...free }
  const partner = { platform: 'partner', platformName: 'partner', ...free }
  t.strictSame(await bindings(), [corporate, partner])
  const { platform, code, state } = (await visit('alice', 'corporate', { token })) as Record<string, string>
  expectSuccess(t, await frontEnd.json('/social/bind', { platform, code, state }))
  t.strictSame(await bindings(), [{ ...corporate, bound: true, nickname: 'alice' }, partner])
  t.equal(expectSuccess(t, await enter()).userInfo.username, 'anna')
  expectProblem(t, await frontEnd.json('/social/bind', { platform, code, state }), 'invalid_grant')
  const stranger = await visit('eve', 'corporate')
  expectProblem(t, await frontEnd.json('/social/bind', stranger), 'invalid_grant')
  expectProblem(t, await frontEnd.json('/social/bind', { code, state }), 'invalid_request', ['platform'])
  expectProblem(t, await frontEnd.json('/social/bind', { platform, code }), 'invalid_request', ['state'])
  expectProblem(t, await frontEnd.json('/social/bind', {}), 'invalid_request', ['socialTicket'])
  t.equal(expectSuccess(t, await frontEnd.remove('/social/unbind/corporate')), null)
  t.strictSame(await bindings(), [corporate, partner])
  expectProblem(t, await enter(), 'invalid_grant', ['socialTicket'])
  expectProblem(t, await frontEnd.remove('/social/unbind/corporate'), 'not_found', ['platform'])
})

test('without the setting, an identity is linked by a ticket only', async (t) => {
  const { server, join, visit, linkIdentity } = await startLinking(t, {
    settings: { compat: { enabled: false } },
    federation: { unknownIdentity: 'refuse' },
  })
  const token = await join('anna')
  const back = await visit('alice', 'corporate', { token })
  expectProblem(t, await server.call('POST', '/social/bind', { token, json: back }), 'invalid_request', [
    'socialTicket',
  ])
  expectSuccess(t, await linkIdentity(token))
})
