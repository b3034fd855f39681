import { test, type Test } from 'tap'
import { createFrontEnd } from './front-end.js'
import { startServer, userPassword, type Answer, type TestServer } from '../../test/helpers/service/server.js'
import { stepsOf } from '../../test/helpers/values/steps.js'
import { signInAs } from '../../test/helpers/service/users.js'

type FrontEnd = ReturnType<typeof createFrontEnd>
/** What somebody works with: a user, the role to give, a session and a row of the login log. */
interface Things {
  id: number
  others: number[]
  roleId: number
  tokenValue: string
  loginId: number
  tenantId: number
}
type Step = [name: string, send: (frontEnd: FrontEnd, things: Things) => Promise<Answer>]

const page = { pageNum: 1, pageSize: 10 }
const record = (id: number, tenantId: number) => ({
  ...{ id, tenantId, tenantIds: [tenantId], tenantName: 'x', username: 'walked', realName: 'Walked on' },
  ...{ userType: 2, gender: 1, phone: '', email: '', idCard: null, regionCode: null, userStatus: 1, postIds: [] },
  ...{ remark: 'walked', userTypeLabel: 'User', genderLabel: 'Male' },
})

/** Requests that read one thing or change something, in the order of a working day. */
const commands: Step[] = [
  ['getById', (front, { id }) => front.nothing('/system/user/getById', { id })],
  ['edit', (front, { id, tenantId }) => front.json('/system/user/edit', record(id, tenantId))],
  ['disable', (front, { id }) => front.query('/system/user/updateStatus', { id, status: 0 })],
  ['untie', (front, { id }) => front.query('/system/user/doUntieDisable', { id })],
  ['reset', (front, { id }) => front.query('/system/user/resetPwd', { id, password: 'another long phrase' })],
  ['bindings', (front, { id, tenantId }) => front.get(`/system/user/${id}/org-bindings`, { tenantId })],
  ['roles', (front, { id, tenantId }) => front.get(`/system/user/${id}/org-roles`, { orgId: tenantId, tenantId })],
  [
    'give roles',
    (front, { id, roleId, tenantId }) =>
      front.json(`/system/user/${id}/org-roles`, { orgId: tenantId, roleIds: [roleId], tenantId }),
  ],
  ['kickout', (front, { tokenValue }) => front.query('/auth/online/kickout', { tokenValue })],
  ['ban', (front, { id }) => front.query('/auth/online/ban', { userId: id, banSeconds: 60, reason: 'x' })],
  ['unban', (front, { id }) => front.query('/auth/online/unban', { userId: id })],
  ['login', (front, { loginId }) => front.get(`/system/loginLog/${loginId}`)],
  ['remove', (front, { id }) => front.query('/system/user/remove', { id })],
  ['remove many', (front, { others }) => front.json('/system/user/removeBatch', others)],
]

/** Lists and forms, which everybody may open and which show nothing of other tenants. */
const views: Step[] = [
  ['menu', (front) => front.get('/auth/current/menu')],
  ['own tenant', (front) => front.get('/system/tenant/current/options')],
  ['own units', (front) => front.get('/system/org/current/options')],
  ['tenant settings', (front, { tenantId }) => front.query('/system/tenant/userTenantConfig', { id: tenantId })],
  ['types', (front) => front.get('/system/dict/data/list', { dictType: 'sys_user_type' })],
  ['tenants', (front) => front.get('/system/tenant/assignable/options')],
  ['tree', (front) => front.get('/system/org/lazyTree', { parentId: 0 })],
  ['units', (front, { tenantId }) => front.get(`/system/org/children/${tenantId}`)],
  ['posts', (front) => front.get('/system/post/list')],
  ['regions', (front) => front.get('/system/region/treeAll')],
  ['users', (front) => front.get('/system/user/page', { ...page, phone: '', orgId: '' })],
  ['role page', (front, { tenantId }) => front.get('/system/role/page', { ...page, orgId: tenantId, tenantId })],
  ['online', (front) => front.get('/auth/online/page', { ...page, username: '' })],
  ['login log', (front) => front.get('/system/loginLog/page', { ...page, username: '', startTime: '', endTime: '' })],
  ['identities', (front) => front.get('/social/user/bindings')],
]

const prepare = async (server: TestServer): Promise<Things> => {
  const { id } = await server.addUser('walked', { remark: 'before' })
  const others = [(await server.addUser('walked-2')).id, (await server.addUser('walked-3')).id]
  const role = await server.operator.addRole('walked', 'Walked', ['page:walked:read'])
  await server.signIn('walked')
  const [session] = await server.app.db.sessions.live(id, server.clock.now())
  const log = await server.app.db.loginLog.page(
    { userId: id, refusedOnly: false },
    { current: 1, size: 1, offset: 0 },
    'desc',
    stepsOf(100),
  )
  return {
    ...{ id, others, roleId: role.id, tenantId: 1 },
    tokenValue: session?.id ?? '',
    loginId: log.rows[0]?.id ?? 0,
  }
}

const walk = async (t: Test, server: TestServer, frontEnd: FrontEnd, things: Things) => {
  const form = { realName: 'New', password: userPassword, tenantIds: null, tenantId: null, postIds: null, phone: null }
  const steps: Step[] = [
    ...views,
    ['add', (front) => front.json('/system/user/add', { username: 'new', ...form })],
    ...commands,
    ['profile', (front) => front.json('/system/user/updateProfile', { realName: 'Me', phone: '', email: '' })],
  ]
  for (const [name, send] of steps) {
    const answer = await send(frontEnd, things)
    t.strictSame([answer.status, answer.body.code], [200, 200], `${name}: ${answer.text}`)
  }
  t.ok(await server.app.db.users.findByUsername(1, 'new'))
}

test('an administrator sends every request of the front end, and all succeed', async (t) => {
  const server = await startServer(t)
  const things = await prepare(server)
  await walk(t, server, createFrontEnd(server, (await server.signIn()).accessToken), things)
  for (const id of [things.id, ...things.others]) t.notOk(await server.app.db.users.find(id))
})

test('a tenant administrator of another tenant neither sees nor changes anything of the first one', async (t) => {
  const server = await startServer(t)
  const things = await prepare(server)
  const other = await server.operator.addTenant('Other')
  const boss = { tenantId: other.id, userType: 1, permissions: ['*:*:*'] }
  const frontEnd = createFrontEnd(server, await signInAs(server, 'boss', boss))
  const stateOf = async () => {
    const users = [things.id, ...things.others].map((id) => server.app.db.users.find(id))
    const grants = await server.app.db.roles.grantsOf(things.id)
    return [await Promise.all(users), grants, await server.app.db.sessions.live(things.id, server.clock.now())]
  }
  const before = await stateOf()
  for (const [name, send] of views) {
    const answer = await send(frontEnd, things)
    t.equal(answer.status, 200, name)
    t.notMatch(answer.text, /walked|Default|"admin"/i, name)
  }
  for (const [name, send] of commands) {
    const answer = await send(frontEnd, things)
    t.match(answer.status, /^(400|404)$/, `${name}: ${answer.text}`)
    t.notMatch(answer.text, /walked|Default/i, name)
  }
  const form = { username: 'new', realName: 'New', password: userPassword, tenantId: 1 }
  t.equal((await frontEnd.json('/system/user/add', form)).status, 400)
  t.notOk(await server.app.db.users.findByUsername(1, 'new'))
  t.same(await stateOf(), before)
})
