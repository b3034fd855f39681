import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { userPassword } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit, startWithAdministrator } from './administrator.js'

test('a user is added with everything that was sent, and must change the password', async (t) => {
  const { server, token } = await startWithAdministrator(t)
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

test('a caller who may set passwords says that one need not be changed; another one is refused', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  const add = (username: string, forcePasswordChange: unknown, by = token) => {
    const json = { username, password: userPassword, forcePasswordChange }
    return server.call('POST', '/system/user', { token: by, json })
  }
  t.match(expectSuccess(t, await add('kept', false)), { username: 'kept', forcePasswordChange: false })
  t.equal((await server.signIn('kept', userPassword)).forcePasswordChange, false)
  t.match((await audit(server, token))[0], { action: 'user.add', after: { forcePasswordChange: false } })
  t.match(expectSuccess(t, await add('forced', true)), { forcePasswordChange: true })
  t.match(expectSuccess(t, await add('absent', null)), { forcePasswordChange: true })
  expectProblem(t, await add('word', 'maybe'), 'invalid_request', ['forcePasswordChange'])

  const adder = await signInAs(server, 'adder', { permissions: ['system:user:add'] })
  expectProblem(t, await add('mine', false, adder), 'invalid_request', ['forcePasswordChange'])
  t.notOk(await server.app.db.users.findByUsername(1, 'mine'))
  t.match(expectSuccess(t, await add('mine', true, adder)), { forcePasswordChange: true })
  const both = await signInAs(server, 'both', { permissions: ['system:user:add', 'system:user:reset'] })
  t.match(expectSuccess(t, await add('theirs', false, both)), { forcePasswordChange: false })
})

test('what is not valid names its fields and adds nobody', async (t) => {
  const { server, token } = await startWithAdministrator(t)
  await server.addUser('taken', { phone: '13800138000', email: 'taken@example.com' })
  const password = userPassword
  const rows: [object, string[]][] = [
    [{}, ['username']],
    [{ username: 'new' }, ['password']],
    [{ username: 'new', password: 'short' }, ['password']],
    [{ username: 'ne\u0007w', password, phone: '1', email: 'x' }, ['username', 'phone', 'email']],
    [
      { username: 'TAKEN', password, phone: '+86 138 0013 8000', email: 'Taken@Example.com' },
      ['username', 'phone', 'email'],
    ],
    [{ username: 'new', password, roleKeys: ['nobody'] }, ['roleKeys']],
    [{ username: 'new', password, userType: 4 }, ['userType']],
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
  const { server, token } = await startWithAdministrator(t)
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
    t.match(answer.body.message, /roleKeys names no key of a role of this tenant: nobody, nowhere$/)
  }
  t.same((await server.app.db.roles.grantsOf(id)).roleKeys, [])
})
