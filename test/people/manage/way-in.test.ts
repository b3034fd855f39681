import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { startWithMessages } from '../../helpers/service/self-service.js'
import { startServer, type TestServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'

const told = async (server: TestServer, token: string, username: string) => {
  const id = (await server.app.db.users.findByUsername(1, username))?.id ?? 0
  const { data } = (await server.call('GET', `/system/user/${id}`, { token })).body
  return { id, hasWayIn: data.hasWayIn as boolean, notInvitable: data.notInvitable as string | null }
}

const file = [
  'username,password,phone,email,userStatus',
  'with-password,a brand new kettle,,,',
  'with-mail,,,mail@example.com,',
  'with-phone,,+8613900139000,,',
  'with-nothing,,,,',
  'disabled,,,off@example.com,0',
].join('\n')

test('a user says whether some method signs it in, and why no invitation can be sent', async (t) => {
  const { server } = await startWithMessages(t)
  const { accessToken: token } = await server.signIn()
  const report = expectSuccess(t, await importFile(server, token, file))
  t.match(report, { withoutWayIn: 1, namesWithoutWayIn: ['with-nothing'], notInvited: 2 })
  const rows = [
    ['with-password', true, 'has_password'],
    ['with-mail', true, null],
    ['with-phone', true, null],
    ['with-nothing', false, 'not_reached'],
    ['disabled', true, 'not_enabled'],
  ] as const
  for (const [name, hasWayIn, notInvitable] of rows) {
    const { id, ...found } = await told(server, token, name)
    t.strictSame(found, { hasWayIn, notInvitable }, name)
    const answer = await server.call('POST', `/system/user/${id}/invite`, { token })
    t.equal(answer.status, notInvitable === null ? 200 : 400, `${name}: the invitation agrees`)
  }
  const { id } = await told(server, token, 'with-nothing')
  const json = { email: 'nothing@example.com' }
  const changed = expectSuccess(t, await server.call('PATCH', `/system/user/${id}`, { token, json }))
  t.match(changed, { hasWayIn: true, notInvitable: null }, 'the answer to a change says it, too')

  const methods = [{ name: 'email_captcha', enabled: false }]
  await server.call('PUT', '/system/tenant/1/methods', { token, json: { methods } })
  t.match(await told(server, token, 'with-mail'), { hasWayIn: false, notInvitable: 'not_reached' })
})

test('without mail and text messages a contact signs nobody in', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  expectSuccess(t, await importFile(server, token, file))
  t.match(await told(server, token, 'with-mail'), { hasWayIn: false, notInvitable: 'not_reached' })
  t.match(await told(server, token, 'with-password'), { hasWayIn: true, notInvitable: 'has_password' })
})

test('a temporary password that nobody has used in time signs nobody in', async (t) => {
  const server = await startServer(t)
  const { accessToken: token } = await server.signIn()
  expectSuccess(t, await importFile(server, token, file))
  const { id } = await told(server, token, 'with-nothing')
  const answer = await server.call('POST', `/system/user/${id}/invite`, { token })
  expectProblem(t, answer, 'invalid_request', ['id'])
  await server.call('POST', `/system/user/${id}/password`, { token, json: { password: 'a brand new kettle' } })
  t.match(await told(server, token, 'with-nothing'), { hasWayIn: true, notInvitable: 'has_password' })
  server.clock.advance(366 * 24 * 3600)
  const { accessToken: later } = await server.signIn()
  t.match(await told(server, later, 'with-nothing'), { hasWayIn: false, notInvitable: 'has_password' })
})
