import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { audit, startWithAdministrator } from './administrator.js'

test('absent fields stay as they are, null clears, and the trail has both sides', async (t) => {
  const { server, token } = await startWithAdministrator(t)
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
  const { server, token } = await startWithAdministrator(t)
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
  t.match(expectSuccess(t, await patch(cleared)), {
    ...stored,
    ...cleared,
    internationalPhone: null,
    updateTime: /Z$/,
  })
  expectProblem(t, await patch(Object.fromEntries(refused.map((field) => [field, null]))), 'invalid_request', refused)
})

test('a PATCH that changes nothing leaves no row and no new version', async (t) => {
  const { server, token } = await startWithAdministrator(t)
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
  const { server, token } = await startWithAdministrator(t)
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
  const { server, token } = await startWithAdministrator(t)
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
