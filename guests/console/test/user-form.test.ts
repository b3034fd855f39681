import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { createFrontEnd } from './front-end.js'
import { startServer, userPassword } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'

const start = async (t: Test) => {
  const server = await startServer(t)
  return { server, frontEnd: createFrontEnd(server, (await server.signIn()).accessToken) }
}

/** What the form sends for a user of whom only the first three fields were filled in. */
const emptyForm = {
  tenantIds: null,
  tenantId: null,
  userType: null,
  phone: null,
  email: null,
  idCard: null,
  regionCode: null,
  remark: null,
  gender: null,
  userStatus: null,
  postIds: null,
}

test('a user is added with three fields, or with everything that the form has', async (t) => {
  const { server, frontEnd } = await start(t)
  const three = { username: 'three', realName: 'Three', password: userPassword, ...emptyForm }
  t.equal(expectSuccess(t, await frontEnd.json('/system/user/add', three)), null)
  t.match(await server.app.db.users.findByUsername(1, 'three'), {
    realName: 'Three',
    userType: 2,
    phone: null,
    forcePasswordChange: true,
  })
  const stored = {
    username: 'all',
    realName: 'All',
    tenantId: 1,
    userType: 1,
    phone: '13800138000',
    email: 'all@example.com',
    remark: 'Back office',
    gender: 2,
    userStatus: 0,
  }
  const all = { ...stored, tenantIds: [1], password: userPassword }
  expectSuccess(t, await frontEnd.json('/system/user/add', all))
  t.match(await server.app.db.users.findByUsername(1, 'all'), stored)
  const texts = { ...three, username: 'texts', userType: '2', userStatus: '1', gender: '0' }
  expectSuccess(t, await frontEnd.json('/system/user/add', texts))
})

test('the message of a refusal says what is wrong, and nobody is added', async (t) => {
  const { server, frontEnd } = await start(t)
  await server.operator.addTenant('Other')
  const form = { ...emptyForm, username: 'new', realName: 'New', password: userPassword }
  const rows: [object, string[], RegExp][] = [
    [{ username: null }, ['username'], /^User name is required$/],
    [{ realName: null }, ['realName'], /^Real name is required$/],
    [{ password: '' }, ['password'], /^Password is required$/],
    [{ password: 'short' }, ['password'], /^Password must have at least 8/],
    [{ username: 'admin' }, ['username'], /^User name is already taken$/],
    [{ phone: '12' }, ['phone'], /^Phone number must be a phone number/],
    [{ tenantIds: [1, 2] }, ['tenantIds'], /^Tenant must be one: /],
    [{ tenantIds: [1], tenantId: 2 }, ['tenantIds'], /^Tenant must be one: /],
    [{ tenantId: 99 }, ['tenantId'], /^Tenant is not a known tenant$/],
    [{ userType: 9 }, ['userType'], /^Type of the user must be one of/],
  ]
  for (const [fields, named, message] of rows) {
    const answer = await frontEnd.json('/system/user/add', { ...form, ...fields })
    expectProblem(t, answer, 'invalid_request', named)
    t.match(answer.body.message, message)
  }
  t.notOk(await server.app.db.users.findByUsername(1, 'new'))
  expectSuccess(t, await frontEnd.json('/system/user/add', { ...form, tenantIds: [2] }))
  t.ok(await server.app.db.users.findByUsername(2, 'new'), 'in the tenant that the form names')
})

test('what is not stored is refused when it is filled in, and accepted when it is empty', async (t) => {
  const { server, frontEnd } = await start(t)
  const form = { ...emptyForm, username: 'new', realName: 'New', password: userPassword }
  const { id } = await server.addUser('alice')
  const before = await server.app.db.users.find(id)
  const rows: [object, string, RegExp][] = [
    [{ idCard: '110101199001011234' }, 'idCard', /^ID card number is not stored: leave it empty$/],
    [{ regionCode: '110000' }, 'regionCode', /^Region is not stored/],
    [{ regionCode: 110000 }, 'regionCode', /^Region is not stored/],
    [{ postIds: [7] }, 'postIds', /^Post is not stored/],
  ]
  for (const [fields, field, message] of rows)
    for (const [path, sent] of [
      ['/system/user/add', form],
      ['/system/user/edit', { id, realName: 'Changed' }],
    ] as const) {
      const answer = await frontEnd.json(path, { ...sent, ...fields })
      expectProblem(t, answer, 'invalid_request', [field])
      t.match(answer.body.message, message)
      t.notMatch(answer.text, /110101|110000/)
    }
  t.notOk(await server.app.db.users.findByUsername(1, 'new'), 'nobody was added')
  t.same(await server.app.db.users.find(id), before)
  for (const empty of [
    { idCard: '', regionCode: ' ', postIds: [] },
    { idCard: null, regionCode: null, postIds: null },
  ])
    expectSuccess(t, await frontEnd.json('/system/user/edit', { id, ...empty }))
  const blank = { idCard: '', regionCode: '', postIds: [] }
  expectSuccess(t, await frontEnd.json('/system/user/add', { ...form, ...blank }))
})

test('the form is filled with an unmasked record', async (t) => {
  const { server, frontEnd } = await start(t)
  const { id } = await server.addUser('alice', { phone: '13800138000', email: 'alice@example.com', remark: 'x' })
  t.strictSame(expectSuccess(t, await frontEnd.nothing('/system/user/getById', { id })), {
    id,
    tenantId: 1,
    tenantIds: [1],
    tenantName: 'Default',
    username: 'alice',
    realName: 'alice',
    userType: 2,
    gender: 0,
    phone: '13800138000',
    email: 'alice@example.com',
    idCard: null,
    regionCode: null,
    userStatus: 1,
    postIds: [],
    remark: 'x',
  })
  const viewer = await signInAs(server, 'viewer', { userType: 1, permissions: ['system:user:view'] })
  const masked = expectSuccess(t, await createFrontEnd(server, viewer).nothing('/system/user/getById', { id }))
  t.match(masked, { phone: '138******8000', email: 'a******e@example.com' })
  const unknown = await frontEnd.nothing('/system/user/getById', { id: 999 })
  expectProblem(t, unknown, 'not_found', ['id'])
  t.match(unknown.body.message, /^User does not exist any more$/)
  expectProblem(t, await frontEnd.nothing('/system/user/getById'), 'invalid_request', ['id'])
})

test('the whole record comes back with labels, and only what differs is changed', async (t) => {
  const { server, frontEnd } = await start(t)
  const { id } = await server.addUser('alice', { phone: '13800138000', email: 'alice@example.com', remark: 'old' })
  const read = expectSuccess(t, await frontEnd.nothing('/system/user/getById', { id }))
  const labels = { userTypeLabel: 'User', genderLabel: null, tenantNames: ['Default'], roles: [{ id: 1 }] }
  const before = await server.app.db.users.find(id)
  expectSuccess(t, await frontEnd.json('/system/user/edit', { ...read, ...labels }))
  const after = await server.app.db.users.find(id)
  t.same(after, before, 'nothing has changed')
  const changes = { realName: 'Alice', gender: 2, email: 'new@example.com', remark: '', phone: '' }
  expectSuccess(t, await frontEnd.json('/system/user/edit', { ...read, ...labels, ...changes }))
  const changed = expectSuccess(t, await frontEnd.nothing('/system/user/getById', { id }))
  t.strictSame(changed, { ...read, ...changes, remark: null, phone: null })
  const nulls = { username: null, realName: '', gender: null, userType: null, userStatus: '', tenantIds: [] }
  expectSuccess(t, await frontEnd.json('/system/user/edit', { ...changed, ...nulls, email: null }))
  t.strictSame(expectSuccess(t, await frontEnd.nothing('/system/user/getById', { id })), { ...changed, email: null })
})

test('masks and dates that stand for the stored contact leave it as it is', async (t) => {
  const { server, frontEnd } = await start(t)
  // Ten digits: the front end sends the date of these seconds, in the time zone of the browser.
  const { id } = await server.addUser('carol', {
    phone: '+12025550123',
    email: 'carol@example.com',
    remark: '2025550123',
  })
  const editor = await signInAs(server, 'editor', {
    userType: 1,
    permissions: ['system:user:view', 'system:user:edit'],
  })
  const masked = createFrontEnd(server, editor)
  const read = expectSuccess(t, await masked.nothing('/system/user/getById', { id }))
  t.match(read.phone, /\*{6}/)
  expectSuccess(t, await masked.json('/system/user/edit', { ...read, realName: 'Carol' }))
  const stored = { realName: 'Carol', phone: '+12025550123', email: 'carol@example.com', remark: '2025550123' }
  t.match(await server.app.db.users.find(id), stored)
  for (const remark of ['2034-03-09 20:48:43', '2034-03-10 04:48:43', '2034-03-09T20:48:43.000Z', '2034-03-09']) {
    expectSuccess(t, await frontEnd.json('/system/user/edit', { ...read, realName: 'Carol', remark }))
    t.match(await server.app.db.users.find(id), stored, remark)
  }
  expectSuccess(t, await frontEnd.json('/system/user/edit', { id, remark: '2034-03-13 20:48:43' }))
  t.match(await server.app.db.users.find(id), { remark: '2034-03-13 20:48:43' }, 'another date is a text')
  const refused: [object, string[]][] = [
    [{ phone: '2034-03-09 20:48:43' }, ['phone']],
    [{ phone: '138******8000' }, ['phone']],
    [{ tenantId: 2 }, ['tenantId']],
    [{ tenantIds: [2] }, ['tenantId']],
  ]
  for (const [fields, named] of refused)
    expectProblem(t, await frontEnd.json('/system/user/edit', { id, ...fields }), 'invalid_request', named)
  const other = await masked.json('/system/user/edit', { ...read, phone: '13900139000' })
  expectProblem(t, other, 'permission_denied')
  expectProblem(t, await masked.json('/system/user/edit', { ...read, email: '' }), 'permission_denied')
  t.match(await server.app.db.users.find(id), { phone: stored.phone, email: stored.email })
})

test('the form says that it adds no service account, which has no password, and edits one without making a person of it', async (t) => {
  const { server, frontEnd } = await start(t)
  const form = { ...emptyForm, username: 'nightly', realName: 'Nightly', userType: 3, password: userPassword }
  const refused = await frontEnd.json('/system/user/add', form)
  expectProblem(t, refused, 'invalid_request', ['password'])
  t.equal(refused.body.message, 'Password is not for service accounts, which sign in by API tokens only')
  t.notOk(await server.app.db.users.findByUsername(1, 'nightly'))

  const { id } = await server.operator.addUser({ username: 'nightly', userType: 3, forcePasswordChange: false })
  const reset = await frontEnd.query('/system/user/resetPwd', { id, password: userPassword })
  expectProblem(t, reset, 'invalid_request', ['password'])
  t.equal(reset.body.message, 'Password is not for service accounts, which sign in by API tokens only')
  const shown = expectSuccess(t, await frontEnd.query('/system/user/getById', { id }))
  t.equal(shown.userType, 3)
  expectSuccess(t, await frontEnd.json('/system/user/edit', { ...shown, remark: 'At two' }))
  expectProblem(t, await frontEnd.json('/system/user/edit', { ...shown, userType: 2 }), 'invalid_request', ['userType'])
  t.match(await server.app.db.users.find(id), { userType: 3, remark: 'At two', passwordHash: null })
  const types = expectSuccess(t, await frontEnd.get('/system/dict/data/list', { dictType: 'sys_user_type' }))
  t.match(types.at(-1), { dictValue: '3', dictLabel: 'Service account' })
})
