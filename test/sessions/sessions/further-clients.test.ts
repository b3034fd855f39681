import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startServer, userPassword } from '../../helpers/service/server.js'

const report = { accessTtl: 7200, idleTtl: 3600, maxTtl: 7200, maxSessions: 1, onLimit: 'reject' }
const credential = { username: 'alice', password: userPassword }

test('a kind of client that the configuration adds has lifetimes and a limit of its own', async (t) => {
  const plain = await startServer(t)
  const server = await startServer(t, { settings: { clients: { forge_report: report } } })
  await server.addUser('alice')
  const data = await server.signIn('alice', userPassword, { userClient: 'forge_report' })
  t.equal(data.expiresIn, 7200)
  t.equal(data.userInfo.userClient, 'forge_report')
  const again = { json: { ...credential, userClient: 'forge_report' } }
  expectProblem(t, await server.call('POST', '/auth/login', again), 'session_limit_reached')
  expectSuccess(t, await server.call('POST', '/auth/login', { json: credential }))
  const config = await server.call('GET', '/auth/loginConfig', { query: 'userClient=forge_report' })
  t.equal(expectSuccess(t, config).userClient, 'forge_report')
  expectSuccess(t, await server.call('POST', '/auth/refreshToken', { token: data.accessToken }))
  for (const userClient of ['FORGE_REPORT', 'forge', 'constructor', '__proto__', 'forge_report '])
    expectProblem(
      t,
      await server.call('POST', '/auth/login', { json: { ...credential, userClient } }),
      'invalid_request',
      ['userClient'],
    )
  const elsewhere = await plain.call('POST', '/auth/login', { json: { ...credential, userClient: 'forge_report' } })
  expectProblem(t, elsewhere, 'invalid_request', ['userClient'])
  t.match(elsewhere.body.message, /userClient must be one of pc, app, h5, wechat$/)
  const clientsOf = ({ app }: typeof server) => {
    const { components } = app.swagger() as unknown as { components: { schemas: Record<string, any> } }
    return components.schemas['UserClient'].enum
  }
  t.same(clientsOf(server), ['pc', 'app', 'h5', 'wechat', 'forge_report'])
  t.same(clientsOf(plain), ['pc', 'app', 'h5', 'wechat'])
})

test('the sessions of a kind that is no longer in the configuration have ended', async (t) => {
  const server = await startServer(t, { settings: { clients: { forge_report: report } } })
  await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice', userPassword, { userClient: 'forge_report' })
  const { clients } = server.app.installation.settings as { clients: Record<string, unknown> }
  delete clients['forge_report']
  expectProblem(t, await server.call('GET', '/auth/userInfo', { token }), 'session_expired')
  expectProblem(t, await server.call('POST', '/auth/refreshToken', { token }), 'session_expired')
  expectSuccess(t, await server.call('POST', '/auth/logout', { token }))
})

const faulty: [string, object][] = [
  ['9report', report],
  ['forge report', report],
  ['a'.repeat(33), report],
  ['forge_report', { ...report, maxTtl: undefined }],
]
for (const [name, client] of faulty) {
  test(`a configuration with the kind of client ${name} ${JSON.stringify(client)} is refused`, async (t) => {
    await t.rejects(startServer(t, { settings: { clients: { [name]: client } } }), {
      message: new RegExp(`clients.${name}`),
    })
  })
}
