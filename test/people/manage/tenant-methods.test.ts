import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { adminPassword, userPassword } from '../../helpers/service/server.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit, startWithAdministrator } from './administrator.js'

const settings = { sms: { sender: 'log' } }

test('a system administrator switches the sign-in methods of a tenant', async (t) => {
  const { server, token } = await startWithAdministrator(t, { settings })
  const { id } = await server.operator.addTenant('Other')
  await server.addUser('alice', { tenantId: id })
  const path = `/system/tenant/${id}/methods`
  const put = (methods: object[]) => server.call('PUT', path, { token, json: { methods } })
  const first = expectSuccess(t, await server.call('GET', path, { token }))
  const names = ['password', 'password_captcha', 'phone_captcha', 'passkey']
  t.same(first, { methods: names.map((name) => ({ name, enabled: true })) })

  const changed = expectSuccess(t, await put([{ name: 'password', enabled: false }]))
  t.same(changed, { methods: names.map((name) => ({ name, enabled: name !== 'password' })) })
  t.same(expectSuccess(t, await server.call('GET', path, { token })), changed)
  const login = { username: 'alice', password: userPassword, tenantId: id }
  expectProblem(t, await server.call('POST', '/auth/login', { json: login }), 'unsupported_auth_type')
  const config = expectSuccess(t, await server.call('GET', '/auth/loginConfig', { query: { tenantId: id } }))
  t.notOk(config.authTypes.includes('password'))
  t.match(await audit(server, token), [
    {
      action: 'tenant.methods',
      targetName: 'Other',
      before: { disabledMethods: [] },
      after: { disabledMethods: ['password'] },
    },
  ])
  const before = (await audit(server, token)).length
  expectSuccess(t, await put([{ name: 'password', enabled: false }]))
  expectSuccess(t, await put([]))
  t.equal((await audit(server, token)).length, before, 'what changes nothing is not recorded')
  t.same(expectSuccess(t, await put(changed.methods.map(({ name }: any) => ({ name, enabled: true })))), first)
  expectSuccess(t, await server.call('POST', '/auth/login', { json: login }))
})

test('a way in stays: one method, and one of the last administrator', async (t) => {
  const { server, token } = await startWithAdministrator(t, { settings })
  const { id } = await server.operator.addTenant('Other')
  const put = (tenant: number, names: string[], enabled = false) =>
    server.call('PUT', `/system/tenant/${tenant}/methods`, {
      token,
      json: { methods: names.map((name) => ({ name, enabled })) },
    })
  const all = ['password', 'password_captcha', 'phone_captcha', 'passkey']
  expectProblem(t, await put(id, all), 'invalid_request', ['methods'])
  expectSuccess(t, await put(id, all.slice(1)))
  expectProblem(t, await put(1, ['password', 'password_captcha']), 'last_administrator')
  const json = { username: 'admin', password: adminPassword }
  expectSuccess(t, await server.call('POST', '/auth/login', { json }))
  t.ok(
    (await server.app.login.ofTenant.list(1)).every(({ enabled }) => enabled),
    'nothing has changed',
  )
})

test('what is no method, and who is no system administrator, is refused', async (t) => {
  const { server, token } = await startWithAdministrator(t, { settings })
  await server.operator.addTenant('Other')
  const path = '/system/tenant/1/methods'
  const put = (json: unknown, by = token, at = path) => server.call('PUT', at, { token: by, json })
  const enabled = (name: string, on = true) => ({ name, enabled: on })
  const rows: [json: unknown, fields: string[]][] = [
    [{}, ['methods']],
    [{ methods: 'password' }, ['methods']],
    [{ methods: [enabled('telepathy', false)] }, ['methods']],
    [{ methods: [enabled('telepathy')] }, ['methods']],
    [{ methods: [enabled('password'), enabled('password', false)] }, ['methods']],
  ]
  for (const [json, fields] of rows) expectProblem(t, await put(json), 'invalid_request', fields)
  for (const json of [{ methods: [{ name: 'password' }] }, { methods: [{ enabled: true }] }, { methods: [null] }])
    expectProblem(t, await put(json), 'invalid_request')
  const json = { methods: [enabled('passkey', false)] }
  const permissions = ['system:tenant:edit', 'system:tenant:list']
  const callers: [by: string, path: string, reason: 'permission_denied' | 'not_found'][] = [
    [await signInAs(server, 'user', { permissions }), path, 'permission_denied'],
    [await signInAs(server, 'tenant', { userType: 1, permissions }), path, 'permission_denied'],
    [await signInAs(server, 'lister', { permissions: ['system:tenant:list'] }), path, 'permission_denied'],
    [await signInAs(server, 'other', { tenantId: 2, userType: 1, permissions }), path, 'not_found'],
    [token, '/system/tenant/999/methods', 'not_found'],
  ]
  for (const [by, at, reason] of callers) {
    expectProblem(t, await server.call('GET', at, { token: by }), reason)
    expectProblem(t, await put(json, by, at), reason)
  }
  expectProblem(t, await server.call('GET', path), 'token_missing')
  t.ok(
    (await server.app.login.ofTenant.list(1)).every(({ enabled }) => enabled),
    'nothing has changed',
  )
})
