import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer, userPassword } from '../../../test/helpers/service/server.js'
import { insertUsers, signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'

const phone = '13800138001'
const email = 'plain@example.com'
const shown = { phone: '138******8001', email: 'p******n@example.com' }
const isContact = /13800138001|plain@/

test('the login log masks contacts for callers who may not see them, and its filter confirms no guess', async (t) => {
  const server = await startServer(t)
  await server.call('POST', '/auth/login', { json: { username: `+86${phone}`, password: 'wrong horse battery' } })
  const reader = await signInAs(server, 'reader', { permissions: ['system:loginlog:list'] })
  const frontEnd = createFrontEnd(server, reader)
  const answer = await frontEnd.get('/system/loginLog/page', { loginStatus: 0 })
  const [row] = expectSuccess(t, answer).records
  t.match(row.username, /\*{6}/)
  t.notMatch(answer.text, isContact)
  const one = await frontEnd.get(`/system/loginLog/${String(row.id)}`)
  t.equal(expectSuccess(t, one).username, row.username)
  t.notMatch(one.text, isContact)
  expectProblem(t, await frontEnd.get('/system/loginLog/page', { username: '1380013' }), 'permission_denied')
})

test('the form gives the same answer for a right and a wrong guess of a masked contact', async (t) => {
  const server = await startServer(t)
  const [id = 0] = await insertUsers(server, [{ username: 'grace', phone, email }])
  const permissions = ['system:user:view', 'system:user:add', 'system:user:edit']
  const blind = createFrontEnd(server, await signInAs(server, 'blind', { userType: 1, permissions }))
  const admin = createFrontEnd(server, (await server.signIn()).accessToken)
  const before = await server.app.db.users.find(id)
  const form = { id, username: 'grace', realName: 'grace', ...shown }
  for (const guess of [
    { phone },
    { phone: `+86${phone}` },
    { phone: null },
    { email },
    { email: 'other@example.com' },
  ]) {
    const answer = await blind.json('/system/user/edit', { ...form, ...guess })
    expectProblem(t, answer, 'permission_denied')
    t.notMatch(answer.text, isContact)
  }
  const added = { username: 'new', realName: 'New', password: userPassword }
  for (const masks of [{ phone: '139******8001' }, { email: 'o******r@example.com' }]) {
    const field = Object.keys(masks)
    expectProblem(t, await admin.json('/system/user/add', { ...added, ...masks }), 'invalid_request', field)
    expectProblem(t, await admin.json('/system/user/edit', { ...form, ...masks }), 'invalid_request', field)
  }
  t.same(await server.app.db.users.find(id), before)
  expectSuccess(t, await blind.json('/system/user/edit', { ...form, remark: 'changed' }))
  t.match(await server.app.db.users.find(id), { phone, email, remark: 'changed' })
})
