import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { dictionaryTypes } from '../dictionaries.js'
import { createFrontEnd } from './front-end.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'

const gets = [
  '/system/dict/data/list',
  '/system/tenant/assignable/options',
  '/system/tenant/current/options',
  '/system/org/lazyTree',
  '/system/org/children/1',
  '/system/org/current/options',
  '/system/post/list',
  '/system/region/treeAll',
]

test('forms get the labels of numbers in the language of the person', async (t) => {
  const badge = { name: 'badge', needs: ['username' as const], identify: async () => undefined }
  const kiosk = { maxSessions: 1, onLimit: 'replace', accessTtl: 600, idleTtl: 600, maxTtl: 600 }
  const server = await startServer(t, { settings: { clients: { kiosk } }, loginMethods: [badge] })
  const token = await signInAs(server, 'anybody')
  const english = createFrontEnd(server, token)
  const chinese = createFrontEnd(server, token, { 'accept-language': 'zh-CN' })
  const list = async (frontEnd: typeof english, dictType: string) =>
    expectSuccess(t, await frontEnd.get('/system/dict/data/list', { dictType })) as Record<string, unknown>[]
  t.strictSame(await list(english, 'sys_user_status'), [
    { dictLabel: 'Disabled', dictValue: '0', listClass: 'danger', dictSort: 1, remark: null },
    { dictLabel: 'Normal', dictValue: '1', listClass: 'success', dictSort: 2, remark: null },
    { dictLabel: 'Locked', dictValue: '2', listClass: 'warning', dictSort: 3, remark: null },
  ])
  for (const [dictType, numbers] of Object.entries({ sys_user_type: 4, sys_user_status: 3, sys_user_sex: 3 })) {
    t.same(
      (await list(english, dictType)).map(({ dictValue }) => dictValue),
      ['0', '1', '2', '3'].slice(0, numbers),
    )
    for (const { dictLabel } of await list(chinese, dictType)) t.match(dictLabel, /^\p{Script=Han}+$/u)
  }
  const values: [string, string[], string, string][] = [
    ['sys_role_type', ['1'], 'Role of the tenant', '租户角色'],
    ['sys_role_data_scope', ['1'], 'The whole tenant', '本租户'],
    ['sys_normal_disable', ['0', '1'], 'Disabled', '禁用'],
    ['sys_common_status', ['0', '1'], 'Refused', '失败'],
    ['sys_login_type', ['password', 'password_captcha', 'badge'], 'Password', '密码登录'],
    ['sys_login_type', ['passkey', 'totp', 'recovery', 'phone_captcha'], 'Passkey', '通行密钥'],
    ['sys_login_type', ['totp'], 'Authenticator app', '身份验证器'],
    ['sys_login_type', ['recovery'], 'Recovery code', '恢复码'],
    ['sys_login_type', ['password_captcha'], 'Password and captcha', '图形验证码'],
    ['sys_user_status', ['0', '1', '2'], 'Disabled', '禁用'],
    ['sys_client_type', ['pc', 'app', 'kiosk'], 'Browser', '电脑端'],
  ]
  for (const [dictType, wanted, inEnglish, inChinese] of values) {
    const found = await list(english, dictType)
    const names = found.map(({ dictValue }) => dictValue)
    for (const value of wanted) t.ok(names.includes(value), `${dictType} ${value}: ${names.join()}`)
    t.equal(new Set(names).size, names.length)
    t.equal(found.find(({ dictValue }) => dictValue === wanted[0])?.['dictLabel'], inEnglish)
    t.equal((await list(chinese, dictType)).find(({ dictValue }) => dictValue === wanted[0])?.['dictLabel'], inChinese)
    for (const item of found) t.match(item, { dictLabel: /./, listClass: /^(primary|success|info|warning|danger)$/ })
  }
  const clients = await list(chinese, 'sys_client_type')
  t.match(
    clients.find(({ dictValue }) => dictValue === 'kiosk'),
    { dictLabel: 'kiosk' },
    'without a label its name',
  )
  for (const dictType of ['sys_unknown', '', 'constructor', '__proto__'])
    t.strictSame(await list(english, dictType), [])
})

test('no column cuts a Chinese label, and there is one word for what is disabled', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const chinese = createFrontEnd(server, token, { 'accept-language': 'zh-CN' })
  for (const dictType of dictionaryTypes)
    for (const { dictLabel, dictValue } of expectSuccess(
      t,
      await chinese.get('/system/dict/data/list', { dictType }),
    )) {
      t.match(dictLabel, /^\p{Script=Han}{1,5}$/u, `${dictType} ${dictValue}: ${dictLabel}`)
      t.not(dictLabel, '停用')
    }
})

test('the labels of types say how far they reach, and where permissions come from', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  const rows = [
    [
      'en',
      ['System-wide account', 'Tenant-wide account', 'User', 'Service account'],
      /comes from its roles: page of users/,
      /rollcall user add --service$/,
    ],
    [
      'zh-CN',
      ['系统级账号', '租户级账号', '普通用户', '服务账号'],
      /权限来自角色：请在用户管理页面分配角色/,
      /rollcall user add --service$/,
    ],
  ] as const
  for (const [language, labels, remark, ofServices] of rows) {
    const frontEnd = createFrontEnd(server, token, { 'accept-language': language })
    const found = expectSuccess(t, await frontEnd.get('/system/dict/data/list', { dictType: 'sys_user_type' }))
    t.same(
      found.map(({ dictLabel }: { dictLabel: string }) => dictLabel),
      labels,
    )
    for (const item of found) t.match(item.remark, item.dictValue === '3' ? ofServices : remark)
  }
})

test('forms get the tenants and the one unit that a caller may choose', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  const closed = await server.operator.addTenant('Closed')
  await server.operator.setTenantEnabled(closed.id, false)
  const admin = createFrontEnd(server, (await server.signIn()).accessToken)
  const tenantAdmin = createFrontEnd(
    server,
    await signInAs(server, 'boss', { tenantId: other.id, userType: 1, permissions: ['*:*:*'] }),
  )
  const own = { id: other.id, tenantId: other.id, tenantName: 'Other' }
  const first = { id: 1, tenantId: 1, tenantName: 'Default' }
  const options = '/system/tenant/assignable/options'
  t.strictSame(expectSuccess(t, await admin.get(options)), [first, own])
  t.strictSame(expectSuccess(t, await tenantAdmin.get(options)), [own])
  t.strictSame(expectSuccess(t, await tenantAdmin.get('/system/tenant/current/options')), [own])
  const tree = expectSuccess(t, await tenantAdmin.get('/system/org/lazyTree', { parentId: 0 }))
  t.match(tree, [{ id: other.id, orgName: 'Other', parentId: 0, hasChildren: false, children: [] }])
  t.equal(tree.length, 1)
  t.strictSame(expectSuccess(t, await tenantAdmin.get('/system/org/lazyTree', { parentId: other.id })), [])
  const treeOf = async (frontEnd: typeof admin, tenantId: unknown) =>
    expectSuccess(t, await frontEnd.get('/system/org/lazyTree', `parentId=0&tenantId=${String(tenantId)}`))
  const unit = { id: other.id, parentId: 0, orgName: 'Other', tenantId: other.id, hasChildren: false, children: [] }
  t.match(await treeOf(admin, other.id), [unit])
  t.match(await treeOf(admin, ''), [{ id: 1, orgName: 'Default' }], 'without a tenant it is the own one')
  t.match(await treeOf(tenantAdmin, other.id), [unit])
  for (const id of [1, closed.id, 99]) t.strictSame(await treeOf(tenantAdmin, id), [], 'another tenant shows nothing')
  t.strictSame(await treeOf(admin, 99), [])
  for (const path of gets.slice(4)) t.strictSame(expectSuccess(t, await admin.get(path)), [], path)
  t.equal(expectSuccess(t, await admin.query('/system/tenant/userTenantConfig', { id: 1 })), null)
})

test('choices are for signed-in users only', async (t) => {
  const server = await startServer(t)
  for (const path of gets) expectProblem(t, await server.call('GET', path), 'token_missing')
})

test('the list takes the unit of a tenant as a filter and never ignores it', async (t) => {
  const server = await startServer(t)
  const other = await server.operator.addTenant('Other')
  await server.addUser('alice', { tenantId: other.id })
  const admin = createFrontEnd(server, (await server.signIn()).accessToken)
  const page = async (query: string) => expectSuccess(t, await admin.get('/system/user/page', query)).total as number
  t.equal(await page('orgId='), 2)
  t.equal(await page(`orgId=${other.id}`), 1)
  t.equal(await page('orgId=1'), 1)
  t.equal(await page('orgId=99'), 0, 'an unknown unit has nobody')
  t.equal(await page(`orgId=1&tenantId=${other.id}`), 0)
  const boss = await signInAs(server, 'boss', { tenantId: other.id, userType: 1, permissions: ['system:user:list'] })
  const own = createFrontEnd(server, boss)
  t.equal(expectSuccess(t, await own.get('/system/user/page', 'orgId=1')).total, 0)
  t.equal(expectSuccess(t, await own.get('/system/user/page', `orgId=${other.id}`)).total, 2)
  expectProblem(t, await admin.get('/system/user/page', 'orgId=x'), 'invalid_request', ['orgId'])
  const faults = await admin.get('/system/user/page', 'orgId=x&pageNum=y&userType=z')
  expectProblem(t, faults, 'invalid_request', ['pageNum', 'userType', 'orgId'])
})
