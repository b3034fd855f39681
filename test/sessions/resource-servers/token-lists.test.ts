import { test } from 'tap'
import { expectSuccess } from '../../helpers/service/expect.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { decodeToken } from '../../helpers/service/token.js'

const both = { accessTokens: { roles: true, permissions: true } }
const listsOf = (token: string) => {
  const { roles, permissions } = decodeToken(token).claims
  return { roles, permissions }
}
const addRole = (server: TestServer, permissions: string[]) => server.operator.addRole('editor', 'Editor', permissions)

test('roles and permissions are in tokens only where the configuration says so', async (t) => {
  for (const [accessTokens, expected] of [
    [{}, { roles: undefined, permissions: undefined }],
    [{ roles: true }, { roles: ['admin'], permissions: undefined }],
    [{ permissions: true }, { roles: undefined, permissions: ['*:*:*'] }],
    [both.accessTokens, { roles: ['admin'], permissions: ['*:*:*'] }],
  ] as const) {
    const server = await startServer(t, { settings: { accessTokens } })
    t.strictSame(listsOf((await server.signIn()).accessToken), expected)
  }
})

test('they are as old as the token: a refresh renews them, and Rollcall itself does not read them', async (t) => {
  const server = await startServer(t, { settings: both })
  await addRole(server, ['system:user:list'])
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  t.same(listsOf(token), { roles: [], permissions: [] })
  const list = () => server.call('GET', '/system/user/page', { token })
  t.equal((await list()).status, 403)
  await server.operator.assign('editor', 'alice')
  t.equal((await list()).status, 200, 'at once, with the old token')
  const { accessToken: next } = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
  t.same(listsOf(next), { roles: ['editor'], permissions: ['system:user:list'] })
})

test('lists that would make the token too long for a header are left out, both of them', async (t) => {
  const server = await startServer(t, { settings: both })
  const many = Array.from({ length: 300 }, (_, index) => `module:resource${index}:read`)
  const few = many.slice(0, 140)
  await addRole(server, few)
  await server.addUser('alice', { roles: ['editor'] })
  const { accessToken } = await server.signIn('alice')
  t.equal(listsOf(accessToken).permissions?.length, few.length)
  t.ok(accessToken.length < 7000, `${accessToken.length} characters`)
  await server.operator.addRole('writer', 'Writer', many)
  await server.operator.assign('writer', 'alice')
  const { accessToken: token } = await server.signIn('alice')
  t.strictSame(listsOf(token), { roles: undefined, permissions: undefined })
  t.equal(expectSuccess(t, await server.call('GET', '/auth/current/permissions', { token })).length, many.length)
})

test('each kind of client has audiences of its own, besides that of the configuration', async (t) => {
  const server = await startServer(t, { settings: { clients: { app: { audiences: ['maps', 'reports'] } } } })
  for (const [userClient, aud] of [
    ['pc', 'rollcall'],
    ['app', ['rollcall', 'maps', 'reports']],
  ] as const) {
    const { accessToken: token } = await server.signIn('admin', undefined, { userClient })
    t.strictSame(decodeToken(token).claims['aud'], aud)
    expectSuccess(t, await server.call('GET', '/auth/userInfo', { token }))
    const { accessToken: next } = expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token }))
    t.strictSame(decodeToken(next).claims['aud'], aud)
  }
})
