import { test, type Test } from 'tap'
import { operatorActor } from '../../../lib/actor.js'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { federation } from '../../helpers/peers/openid-provider.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { startServer, userPassword, type TestServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { signInAs } from '../../helpers/service/users.js'

const start = async (t: Test) => {
  const server = await startServer(t)
  const token = (await server.signIn()).accessToken
  return { server, token }
}
const audit = async (server: TestServer, token: string, query = '') =>
  (await server.call('GET', '/system/audit/page', { token, query })).body.data.records as Record<string, any>[]

test('a user is added with everything that was sent, and must change the password', async (t) => {
  const { server, token } = await start(t)
  await server.operator.addRole('editor', 'Editor', ['page:text:edit'])
  const sent = {
    username: 'alice',
    realName: 'Alice Liddell',
    phone: '13800138000',
    email: 'alice@example.com',
    gender: 2,
    userType: 2,
    remark: 'Back office',
    avatar: 'https://example.com/a.png',
    roleKeys: ['editor'],
  }
  const added = expectSuccess(
    t,
    await server.call('POST', '/system/user', { token, json: { ...sent, password: userPassword } }),
  )
  t.match(added, { ...sent, tenantId: 1, userStatus: 1, forcePasswordChange: true })
  t.notMatch(JSON.stringify(added), /assword":"|argon2/)
  t.same(expectSuccess(t, await server.call('GET', `/system/user/${added.id}`, { token })), added)
  t.equal((await server.signIn('alice', userPassword)).forcePasswordChange, true)
  const [row] = await audit(server, token)
  t.match(row, {
    action: 'user.add',
    actorName: 'admin',
    source: 'api',
    address: '127.0.0.1',
    targetType: 'user',
    targetId: String(added.id),
    targetName: 'alice',
    tenantId: 1,
    before: null,
    after: { username: 'alice', roleKeys: ['editor'] },
  })
  t.notMatch(JSON.stringify(row), /argon2|assword":"/)
})

test('what is not valid names its fields and adds nobody', async (t) => {
  const { server, token } = await start(t)
  await server.addUser('taken', { phone: '13800138000', email: 'taken@example.com' })
  const password = userPassword
  const rows: [object, string[]][] = [
    [{}, ['username']],
    [{ username: 'new' }, ['password']],
    [{ username: 'new', password: 'short' }, ['password']],
    [{ username: 'ne\u200bw', password, phone: '1', email: 'x' }, ['username', 'phone', 'email']],
    [
      { username: 'TAKEN', password, phone: '+86 138 0013 8000', email: 'Taken@Example.com' },
      ['username', 'phone', 'email'],
    ],
    [{ username: 'new', password, roleKeys: ['nobody'] }, ['roleKeys']],
    [{ username: 'new', password, userType: 3 }, ['userType']],
    [{ username: 'new', password, tenantId: 99 }, ['tenantId']],
    [{ username: 'new', password, avatar: 'javascript:alert(1)' }, ['avatar']],
    [{ username: 'new', password, avatar: 'http://example.com/a.png' }, ['avatar']],
    [{ username: 'new', password, roleKeys: ['a\0b'] }, ['roleKeys']],
  ]
  for (const [json, fields] of rows) {
    expectProblem(t, await server.call('POST', '/system/user', { token, json }), 'invalid_request', fields)
  }
  t.notOk(await server.app.db.users.findByUsername(1, 'new'))
  t.equal((await audit(server, token)).filter(({ action }) => action === 'user.add').length, 0)
})

test('a refusal says which roles are unknown, in the field of the request', async (t) => {
  const { server, token } = await start(t)
  const { id } = await server.addUser('bob')
  const json = { roleKeys: ['admin', 'nobody', 'nowhere'] }
  const requests: [string, string, object][] = [
    ['POST', '/system/user', { ...json, username: 'new', password: userPassword }],
    ['PATCH', `/system/user/${id}`, json],
    ['PUT', `/system/user/${id}/roles`, json],
  ]
  for (const [method, path, json] of requests) {
    const answer = await server.call(method, path, { token, json })
    expectProblem(t, answer, 'invalid_request', ['roleKeys'])
    t.match(answer.body.message, /roleKeys names no role of this tenant: nobody, nowhere$/)
  }
  t.same((await server.app.db.roles.grantsOf(id)).roleKeys, [])
})

test('absent fields stay as they are, null clears, and the trail has both sides', async (t) => {
  const { server, token } = await start(t)
  const { id } = await server.addUser('bob', { phone: '13800138000', email: 'bob@example.com', remark: 'old' })
  const changed = expectSuccess(
    t,
    await server.call('PATCH', `/system/user/${id}`, { token, json: { realName: 'Bob', phone: null, remark: '' } }),
  )
  t.match(changed, { realName: 'Bob', phone: null, remark: null, email: 'bob@example.com', username: 'bob' })
  const [row] = await audit(server, token)
  t.same(row?.['before'], { realName: 'bob', phone: '13800138000', remark: 'old' })
  t.same(row?.['after'], { realName: 'Bob', phone: null, remark: null })
  const refused: [object, string[]][] = [
    [{ password: 'another long phrase' }, ['password']],
    [{ tenantId: 2 }, ['tenantId']],
    [{ username: 'admin' }, ['username']],
    [{ email: 'nothing' }, ['email']],
    [{ roleKeys: ['nobody'] }, ['roleKeys']],
  ]
  for (const [json, fields] of refused) {
    expectProblem(t, await server.call('PATCH', `/system/user/${id}`, { token, json }), 'invalid_request', fields)
  }
  t.same(expectSuccess(t, await server.call('GET', `/system/user/${id}`, { token })), changed)
})

test('null clears the fields that may be empty, and is refused for all others', async (t) => {
  const { server, token } = await start(t)
  await server.operator.addRole('editor', 'Editor', ['page:text:edit'])
  const avatar = 'https://example.com/b.png'
  const contacts = { phone: '13800138000', email: 'bob@example.com' }
  const { id } = await server.addUser('bob', { ...contacts, remark: 'old', gender: 1, avatar, roles: ['editor'] })
  const path = `/system/user/${id}`
  const patch = (json: object) => server.call('PATCH', path, { token, json })
  const stored = expectSuccess(t, await server.call('GET', path, { token }))
  const refused = ['username', 'realName', 'gender', 'userType', 'userStatus', 'roleKeys', 'password', 'tenantId']
  for (const field of refused)
    expectProblem(t, await patch({ remark: 'new', [field]: null }), 'invalid_request', [field])
  t.same(expectSuccess(t, await server.call('GET', path, { token })), stored, 'nothing has changed')
  t.same(expectSuccess(t, await patch({ unknown: null, createTime: null })), stored, 'unknown fields are ignored')
  const cleared = { phone: null, email: null, avatar: null, remark: null }
  t.match(expectSuccess(t, await patch(cleared)), { ...stored, ...cleared, updateTime: /Z$/ })
  expectProblem(t, await patch(Object.fromEntries(refused.map((field) => [field, null]))), 'invalid_request', refused)
})

test('a PATCH that changes nothing leaves no row and no new version', async (t) => {
  const { server, token } = await start(t)
  await server.operator.addRole('editor', 'Editor', ['page:text:edit'])
  const { id } = await server.addUser('bob', { phone: '13800138000', email: 'bob@example.com', roles: ['editor'] })
  const path = `/system/user/${id}`
  expectSuccess(
    t,
    await server.call('PATCH', path, { token, json: { gender: 1, avatar: 'https://example.com/b.png' } }),
  )
  const stored = expectSuccess(t, await server.call('GET', path, { token }))
  const rows = await audit(server, token)
  server.clock.advance(60)
  const nothing: [sentence: string, json: object][] = [
    ['no field', {}],
    ['an empty remark', { remark: '' }],
    ['a remark that is cleared already', { remark: null }],
    ['the stored number', { gender: 1 }],
    ['the stored phone number, written otherwise', { phone: '+86 138 0013 8000' }],
    ['the stored roles', { roleKeys: ['editor'] }],
    ['the whole record', stored],
    ['fields that do not exist', { forcePasswordChange: true, unknown: 1 }],
  ]
  for (const [sentence, json] of nothing) {
    const answer = await server.call('PATCH', path, { token, json, headers: { 'if-match': stored.updateTime } })
    t.same(expectSuccess(t, answer), stored, sentence)
    t.equal(answer.headers.get('etag'), `"${stored.updateTime}"`, sentence)
    t.same(await audit(server, token), rows, sentence)
  }
  const late = { token, json: {}, headers: { 'if-match': '"2000-01-01T00:00:00.000Z"' } }
  expectProblem(t, await server.call('PATCH', path, late), 'changed_meanwhile')
  for (const [index, json] of [{ gender: 2 }, { phone: null }, { avatar: null }, { roleKeys: [] }].entries()) {
    const changed = expectSuccess(t, await server.call('PATCH', path, { token, json }))
    t.ok(changed.updateTime > stored.updateTime)
    t.equal((await audit(server, token)).length, rows.length + index + 1, 'a real change is recorded')
  }
})

test('If-Match lets only the faster of two changes pass', async (t) => {
  const { server, token } = await start(t)
  const { id } = await server.addUser('carol')
  const path = `/system/user/${id}`
  const read = await server.call('GET', path, { token })
  const etag = read.headers.get('etag') ?? ''
  t.equal(etag, `"${read.body.data.updateTime}"`)
  const answers = await Promise.all(
    ['first', 'second', 'third'].map((remark) =>
      server.call('PATCH', path, { token, json: { remark }, headers: { 'if-match': etag } }),
    ),
  )
  t.same(answers.map(({ status }) => status).sort(), [200, 412, 412])
  for (const answer of answers) if (answer.status !== 200) expectProblem(t, answer, 'changed_meanwhile')
  expectSuccess(t, await server.call('PATCH', path, { token, json: { remark: 'x' }, headers: { 'if-match': '*' } }))
  const { updateTime } = (await server.call('GET', path, { token })).body.data
  expectSuccess(
    t,
    await server.call('PATCH', path, { token, json: { remark: 'y' }, headers: { 'if-match': updateTime } }),
  )
})

test('a change of roles is a new version for If-Match, the same roles are none', async (t) => {
  const { server, token } = await start(t)
  for (const key of ['editor', 'reader', 'writer']) await server.operator.addRole(key, key, ['page:text:read'])
  const { id } = await server.addUser('carol', { roles: ['editor'] })
  const path = `/system/user/${id}`
  const version = async () => (await server.call('GET', path, { token })).headers.get('etag') ?? ''
  const put = (...roleKeys: string[]) => server.call('PUT', `${path}/roles`, { token, json: { roleKeys } })
  const patch = (...roleKeys: string[]) => server.call('PATCH', path, { token, json: { roleKeys } })
  const rows: [sentence: string, change: () => Promise<unknown>, isNew: boolean][] = [
    ['PUT with another role', () => put('reader'), true],
    ['PUT with the same role', () => put('reader'), false],
    ['PUT with one more', () => put('reader', 'editor'), true],
    ['PUT with the same ones in another order', () => put('editor', 'reader'), false],
    ['PUT with an unknown role', () => put('nobody'), false],
    ['PATCH with another role', () => patch('writer'), true],
    ['PUT with none', () => put(), true],
  ]
  // The clock stands still: all changes are made within one millisecond.
  for (const [sentence, change, isNew] of rows) {
    const before = await version()
    await change()
    const after = await version()
    if (isNew) t.ok(after > before, sentence)
    else t.equal(after, before, sentence)
    if (!isNew) continue
    const stored = (await server.app.db.roles.grantsOf(id)).roleKeys
    const late = { token, json: { roleKeys: ['editor', 'writer'] }, headers: { 'if-match': before } }
    expectProblem(t, await server.call('PATCH', path, late), 'changed_meanwhile')
    t.same((await server.app.db.roles.grantsOf(id)).roleKeys, stored, 'the roles of the faster change stay')
  }
})

test('changes act at once in live sessions', async (t) => {
  const { server, token } = await start(t)
  await server.operator.addRole('lister', 'Lister', ['system:user:list'])
  const { id } = await server.addUser('dave')
  const own = (await server.signIn('dave')).accessToken
  const list = () => server.call('GET', '/system/user/page', { token: own })
  expectProblem(t, await list(), 'permission_denied')
  expectSuccess(t, await server.call('PUT', `/system/user/${id}/roles`, { token, json: { roleKeys: ['lister'] } }))
  expectSuccess(t, await list())
  expectSuccess(t, await server.call('PUT', `/system/user/${id}/roles`, { token, json: { roleKeys: [] } }))
  expectProblem(t, await list(), 'permission_denied')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/disable`, { token }))
  expectProblem(t, await list(), 'session_revoked')
  expectProblem(
    t,
    await server.call('POST', '/auth/login', { json: { username: 'dave', password: userPassword } }),
    'account_disabled',
  )
  expectSuccess(t, await server.call('POST', `/system/user/${id}/disable`, { token }))
  const disabled = (await audit(server, token)).filter(({ action }) => action === 'user.disable')
  t.equal(disabled.length, 1, 'the repetition is not recorded')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/enable`, { token }))
  const again = (await server.signIn('dave')).accessToken
  const json = { password: 'another long phrase' }
  expectSuccess(t, await server.call('POST', `/system/user/${id}/password`, { token, json }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: again }), 'session_revoked')
  t.equal((await server.signIn('dave', 'another long phrase')).forcePasswordChange, true)
  t.notMatch(server.log(), /another long phrase/)
})

test('a deleted user is gone, its name is free, and the trail keeps the id', async (t) => {
  const { server, token } = await start(t)
  const { id } = await server.addUser('erin', { email: 'erin@example.com' })
  const own = (await server.signIn('erin')).accessToken
  expectSuccess(t, await server.call('DELETE', `/system/user/${id}`, { token }))
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token: own }), 'session_expired')
  expectProblem(t, await server.call('GET', `/system/user/${id}`, { token }), 'not_found')
  expectSuccess(t, await server.call('DELETE', `/system/user/${id}`, { token }))
  expectProblem(t, await server.call('DELETE', '/system/user/99999', { token }), 'not_found')
  const rows = (await audit(server, token)).filter(({ action }) => action === 'user.delete')
  t.equal(rows.length, 1)
  t.match(rows[0], { targetId: String(id), targetName: 'erin', before: { email: 'erin@example.com' }, after: null })
  const again = await server.addUser('erin', { email: 'erin@example.com' })
  t.not(again.id, id)
})

test('unlock ends the pause after failed sign-ins', async (t) => {
  const { server, token } = await start(t)
  const { id } = await server.addUser('fred')
  const guess = (password: string) => server.call('POST', '/auth/login', { json: { username: 'fred', password } })
  for (let tries = 0; tries < 40; tries += 1) await guess('wrong')
  t.not((await guess(userPassword)).status, 200, 'paused')
  expectSuccess(t, await server.call('POST', `/system/user/${id}/unlock`, { token }))
  expectSuccess(t, await guess(userPassword))
})

test('an unlock of somebody without failed sign-ins answers as before and leaves no row', async (t) => {
  const { server, token } = await start(t)
  const { id } = await server.addUser('greta', { email: 'greta@example.com' })
  const unlock = async () => expectSuccess(t, await server.call('POST', `/system/user/${id}/unlock`, { token }))
  const rows = async () => (await audit(server, token)).filter(({ action }) => action === 'user.unlock').length
  const fail = (username: string) => server.call('POST', '/auth/login', { json: { username, password: 'wrong' } })
  for (let time = 0; time < 3; time++) t.equal(await unlock(), null)
  const json = { ids: [id], action: 'unlock' }
  expectSuccess(t, await server.call('POST', '/system/user/batch', { token, json }))
  t.equal(await rows(), 0)

  for (let tries = 0; tries < 40; tries++) await fail('GRETA')
  for (let time = 0; time < 3; time++) t.equal(await unlock(), null)
  t.equal(await rows(), 1, 'once for the failures of the user name')
  await server.app.db.users.change(id, { userStatus: 2 }, server.clock.now())
  for (let time = 0; time < 3; time++) t.equal(await unlock(), null)
  t.equal(await rows(), 2, 'once for the status')
  t.equal((await server.app.db.users.find(id))?.userStatus, 1)
})

test('a batch is done for all or for nobody', async (t) => {
  const { server, token } = await start(t)
  const ids: number[] = []
  for (let index = 0; index < 30; index += 1) ids.push((await server.addUser(`many-${index}`)).id)
  const [first = 0, second = 0] = ids
  const admin = (await server.app.db.users.findByUsername(1, 'admin'))?.id ?? 0
  const batch = (list: unknown, action = 'disable') =>
    server.call('POST', '/system/user/batch', { token, json: { ids: list, action } })
  expectProblem(t, await batch([first, 99_999, second, admin]), 'invalid_request', ['ids.1', 'ids.3'])
  t.equal((await server.app.db.users.find(first))?.userStatus, 1)
  const refused: [unknown, string, string[]][] = [
    [[], 'disable', ['ids']],
    [[1, 1], 'disable', ['ids']],
    [Array.from({ length: 1001 }, (_, index) => index + 1), 'disable', ['ids']],
    [['x'], 'disable', ['ids.0']],
    [first, 'disable', ['ids']],
    [[first], 'promote', ['action']],
  ]
  for (const [list, action, fields] of refused) expectProblem(t, await batch(list, action), 'invalid_request', fields)
  expectSuccess(t, await batch(ids))
  for (const id of ids) t.equal((await server.app.db.users.find(id))?.userStatus, 0)
  expectSuccess(t, await batch(ids, 'delete'))
  for (const id of ids) t.equal(await server.app.db.users.find(id), undefined)
  const editor = await signInAs(server, 'editor', { userType: 1, permissions: ['system:user:edit'] })
  const { id } = await server.addUser('left')
  const json = { ids: [id], action: 'delete' }
  expectProblem(t, await server.call('POST', '/system/user/batch', { token: editor, json }), 'permission_denied')
})

test('the last administrator stays, in every way to lose it, also in a race', async (t) => {
  const { server } = await start(t)
  const boss = await signInAs(server, 'boss', { userType: 0, permissions: ['*:*:*'] })
  const admin = (await server.app.db.users.findByUsername(1, 'admin'))?.id ?? 0
  const other = (await server.app.db.users.findByUsername(1, 'boss'))?.id ?? 0
  const token = (await server.signIn()).accessToken
  // Each removes the other; only one of the two can be left.
  const answers = await Promise.all([
    server.call('POST', `/system/user/${admin}/disable`, { token: boss }),
    server.call('POST', `/system/user/${other}/disable`, { token }),
  ])
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  const last = answers[0].status === 200 ? { id: other } : { id: admin }
  // A system administrator without the permission to change users does not count, but may call by one of its own.
  const helper = await signInAs(server, 'helper', {
    userType: 0,
    permissions: ['system:user:delete', 'system:user:reset', 'system:user:add'],
  })
  expectProblem(t, await server.call('DELETE', `/system/user/${last.id}`, { token: helper }), 'last_administrator')
  await server.operator.addRole('edits', 'Edits', ['system:user:edit'])
  const second = await signInAs(server, 'second', { userType: 1, permissions: ['system:user:edit'] })
  expectProblem(t, await server.call('POST', `/system/user/${last.id}/disable`, { token: second }), 'permission_denied')
  t.equal((await server.app.db.users.find(last.id))?.userStatus, 1)
  t.same((await server.app.db.roles.grantsOf(last.id)).permissions, ['*:*:*'])
})

test('only an administrator who has a way to sign in is the one who stays', async (t) => {
  const issuer = 'https://accounts.example.com'
  const provider = { platform: 'corporate', kind: 'oidc', issuer, clientId: 'x', clientSecret: 'x' }
  const settings = federation([{ ...provider, redirectUris: ['https://app.example.com/social'] }])
  const { server, mailedCode, post } = await startWithMessages(t, { settings })
  const { app, operator } = server
  const { db, login, management, accounts } = app
  const idOf = async (username: string) => (await db.users.findByUsername(1, username))?.id ?? 0
  const admin = await idOf('admin')
  await signInAs(server, 'helper', { userType: 0, permissions: ['system:user:delete'] })
  const remove = async (id: number) =>
    server.call('DELETE', `/system/user/${id}`, { token: (await server.signIn('helper')).accessToken })
  const staysAlone = async (why: string) => {
    expectProblem(t, await remove(admin), 'last_administrator')
    await t.rejects(operator.setEnabled('admin', false), { code: 'last_administrator' }, why)
    t.equal((await db.users.find(admin))?.userStatus, 1, why)
  }
  const needNotStay = async (why: string) => {
    await t.resolves(operator.setEnabled('admin', false), why)
    await operator.setEnabled('admin', true)
  }
  const methods = (change: { disable?: string[]; enable?: string[] }) =>
    login.ofTenant.change(operatorActor(), 1, { disable: [], enable: [], ...change })

  const token = (await server.signIn()).accessToken
  const file = 'username,realName,userType,roles\r\nghost,G,0,admin'
  t.match(expectSuccess(t, await importFile(server, token, file)), { added: 1 })
  const email = 'guest@example.com'
  const json = { username: 'guest', email, userType: 0, roleKeys: ['admin'] }
  const code = await mailedCode(async () =>
    expectSuccess(t, await server.call('POST', '/system/user', { token, json })),
  )
  await staysAlone('one has no password and no contact, the other one has not used the invitation')
  const [ghost, guest] = [await idOf('ghost'), await idOf('guest')]

  const link = (of: string) =>
    db.identities.add({
      ...{ userId: ghost, tenantId: 1, platform: 'corporate', subject: 'g', displayName: null, createTime: 1 },
      issuer: of,
    })
  await link('https://before.example.com')
  await staysAlone('the linked identity is of a provider that is not configured')
  await link(issuer)
  await needNotStay('the linked identity signs in')
  await methods({ disable: ['oauth2', 'social'] })
  await staysAlone('the tenant allows no linked identities')
  expectSuccess(t, await remove(ghost))

  await accounts.verifyContacts('guest', { phone: false, email: true })
  await needNotStay('codes are sent to the verified address')
  await management.edit(operatorActor(), guest, { email: 'other@example.com' })
  await staysAlone('another address than the verified one')
  await management.edit(operatorActor(), guest, { email })
  expectSuccess(t, await post('/auth/password/reset', { recipient: email, code, newPassword: 'violet umbrella stand' }))
  await methods({ disable: ['email_captcha'] })
  await needNotStay('the invitation was used')
  expectSuccess(t, await remove(guest))

  await operator.addUser({
    username: 'late',
    password: userPassword,
    userType: 0,
    roles: ['admin'],
    forcePasswordChange: true,
  })
  await needNotStay('the password that an administrator has set can be used')
  server.clock.advance(30 * 24 * 3600)
  await staysAlone('that password was not changed in time')
  await methods({ disable: ['password', 'password_captcha'], enable: ['email_captcha'] })
  await operator.setEnabled('late', false)
  await t.rejects(operator.setEnabled('admin', false), { code: 'last_administrator' }, 'also where nobody can sign in')
  await methods({ enable: ['password', 'password_captcha'] })
  await server.signIn()
})

test('no command takes the only way in of the last administrator who can sign in', async (t) => {
  const issuer = 'https://accounts.example.com'
  const provider = { platform: 'corporate', kind: 'oidc', issuer, clientId: 'x', clientSecret: 'x' }
  const settings = federation([{ ...provider, redirectUris: ['https://app.example.com/social'] }])
  const { server } = await startWithMessages(t, { settings })
  const { db, login, management } = server.app
  const token = (await server.signIn()).accessToken
  expectSuccess(t, await importFile(server, token, 'username,realName,userType,roles\r\nghost,G,0,admin'))
  const userId = (await db.users.findByUsername(1, 'ghost'))?.id ?? 0
  const identity = { userId, tenantId: 1, platform: 'corporate', issuer, displayName: null, createTime: 1 }
  await db.identities.add({ ...identity, subject: 'one' })
  await db.identities.add({ ...identity, subject: 'two' })
  const change = (methods: { disable?: string[]; enable?: string[] }) =>
    management.changeMethods(operatorActor(), 1, { disable: [], enable: [], ...methods })
  const passwords = ['password', 'password_captcha']
  const identities = ['oauth2', 'social']

  await change({ disable: passwords })
  const refusal = { code: 'last_administrator' }
  await t.rejects(change({ disable: identities }), refusal)
  t.strictSame(
    (await login.ofTenant.offered(1)).map(({ name }) => name),
    ['phone_captcha', 'email_captcha', ...identities],
    'nothing has changed',
  )
  await t.rejects(management.removeIdentities('ghost', undefined), refusal)
  t.equal((await db.identities.ofUser(userId)).length, 2, 'nothing has changed')
  const [first] = await db.identities.ofUser(userId)
  t.equal(await management.removeIdentities('ghost', first?.id), 1)
  await t.rejects(management.removeIdentities('ghost', undefined), refusal)

  await change({ enable: passwords })
  await change({ disable: identities })
  t.equal(await management.removeIdentities('ghost', undefined), 1)
  await server.signIn()
})

test('contacts are masked for whoever may not see them, and only who sees them changes them', async (t) => {
  const { server } = await start(t)
  const { id } = await server.addUser('grace', { phone: '13800138000', email: 'grace@example.com' })
  const token = await signInAs(server, 'viewer', {
    userType: 1,
    permissions: ['system:user:view', 'system:user:edit'],
  })
  const seen = await server.call('GET', `/system/user/${id}`, { token })
  t.match(expectSuccess(t, seen), { phone: '138******8000', email: 'g******e@example.com' })
  t.notMatch(seen.text, /13800138000|grace@/)
  for (const json of [{ phone: '13900139000' }, { email: null }])
    expectProblem(t, await server.call('PATCH', `/system/user/${id}`, { token, json }), 'permission_denied')
  t.match(await server.app.db.users.find(id), { phone: '13800138000', email: 'grace@example.com' })
})

test('the audit trail can be filtered, shows a tenant only its own rows, and ends after its time', async (t) => {
  const { server, token } = await start(t)
  const other = await server.operator.addTenant('Other')
  const mine = await server.addUser('mine')
  const theirs = await server.addUser('theirs', { tenantId: other.id })
  for (const { id } of [mine, theirs]) await server.call('POST', `/system/user/${id}/disable`, { token })
  const auditor = await signInAs(server, 'auditor', { userType: 1, permissions: ['system:audit:list'] })
  t.same(
    (await audit(server, token, 'action=user.disable')).map((row) => row['targetName']),
    ['theirs', 'mine'],
  )
  t.same(
    (await audit(server, auditor, 'action=user.disable')).map((row) => row['targetName']),
    ['mine'],
  )
  t.same(await audit(server, auditor, `tenantId=${other.id}`), [])
  t.same((await audit(server, token, `targetId=${theirs.id}&isAsc=asc&orderByColumn=time`)).length, 1)
  t.same(await audit(server, token, 'actorName=nobody'), [])
  t.same(await audit(server, token, 'timeTo=2001-01-01'), [])
  expectProblem(
    t,
    await server.call('GET', '/system/audit/page', { token, query: 'orderByColumn=actorName' }),
    'invalid_request',
    ['orderByColumn'],
  )
  await server.app.db.auditTrail.purge(server.clock.now() + 1, 100)
  t.same(await audit(server, token), [])
})
