import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { signInAs } from '../../helpers/service/users.js'

for (const [sentence, userStatus] of [
  ['locked', 2],
  ['disabled', 0],
] as const) {
  test(`the sessions of a user who is ${sentence} end, and do not live again afterwards`, async (t) => {
    const server = await startServer(t)
    const { accessToken: token } = await server.signIn()
    const { id } = await server.addUser('alice')
    const { accessToken: own } = await server.signIn('alice')
    const path = `/system/user/${id}`
    const me = () => server.call('GET', '/auth/userInfo', { token: own })
    expectSuccess(t, await server.call('PATCH', path, { token, json: { userStatus } }))
    expectProblem(t, await me(), 'session_revoked')
    expectSuccess(t, await server.call('PATCH', path, { token, json: { userStatus: 1 } }))
    expectProblem(t, await me(), 'session_revoked')
    expectProblem(t, await server.call('POST', '/auth/refreshToken', { token: own }), 'session_revoked')
    expectSuccess(t, await server.call('POST', '/auth/login', { json: { username: 'alice', password: userPassword } }))
  })
}

test('passwords that need not be changed are imported only by who may reset passwords', async (t) => {
  const server = await startServer(t)
  const adding = await signInAs(server, 'adding', { permissions: ['system:user:add'] })
  const resetting = await signInAs(server, 'resetting', { permissions: ['system:user:add', 'system:user:reset'] })
  const content = (name: string, flag: string) =>
    `username,password,forcePasswordChange\n${name},${userPassword},${flag}\n`
  const refused = expectSuccess(t, await importFile(server, adding, content('alice', 'false')))
  t.match(refused, { added: 0, errors: [{ field: 'forcePasswordChange' }] })
  for (const [index, flag] of ['true', ''].entries())
    t.match(expectSuccess(t, await importFile(server, adding, content(`bob${index}`, flag))), { added: 1 })
  for (const name of ['bob0', 'bob1']) t.equal((await server.signIn(name)).forcePasswordChange, true)
  t.match(expectSuccess(t, await importFile(server, resetting, content('carol', 'false'))), { added: 1 })
  t.equal((await server.signIn('carol')).forcePasswordChange, false)
})
