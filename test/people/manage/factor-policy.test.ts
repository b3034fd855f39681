import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { enrol, firstStep } from '../../helpers/service/factors.js'
import { signInAs } from '../../helpers/service/users.js'
import { audit, startWithAdministrator } from './administrator.js'

const settings = { secondFactor: { graceDays: 0 } }

test('a system administrator requires a second factor in a tenant, from the next sign-in on', async (t) => {
  const { server, token } = await startWithAdministrator(t, { settings })
  await server.operator.addTenant('other')
  await server.addUser('alice', { tenantId: 2 })
  const inTenant = { json: { tenantId: 2 } }
  const { accessToken } = expectSuccess(t, await firstStep(server, 'alice', inTenant))
  const edit = (json: object, as = token) => server.call('PATCH', '/system/tenant/2', { token: as, json })
  t.match(expectSuccess(t, await edit({ secondFactorRequired: true })), { name: 'other', secondFactorRequired: true })
  t.match(await audit(server, token), [
    {
      action: 'tenant.edit',
      targetName: 'other',
      before: { secondFactorRequired: false },
      after: { secondFactorRequired: true },
    },
  ])
  expectSuccess(t, await server.call('GET', '/auth/userInfo', { token: accessToken }))
  expectProblem(t, await firstStep(server, 'alice', inTenant), 'second_factor_setup_required')
  const page = expectSuccess(t, await server.call('GET', '/system/tenant/page', { token }))
  t.strictSame(
    page.records.map((tenant: { id: number; secondFactorRequired: boolean }) => tenant.secondFactorRequired),
    [false, true],
  )
  t.equal(expectSuccess(t, await server.call('GET', '/system/tenant/2', { token })).secondFactorRequired, true)

  const count = (await audit(server, token)).length
  expectSuccess(t, await edit({ secondFactorRequired: true }))
  t.equal((await audit(server, token)).length, count, 'what changes nothing is not recorded')
  const local = await signInAs(server, 'local', { userType: 1, permissions: ['system:tenant:edit'] })
  const refused = await server.call('PATCH', '/system/tenant/1', { token: local, json: { secondFactorRequired: true } })
  expectProblem(t, refused, 'permission_denied')
  expectProblem(t, await edit({ secondFactorRequired: 'yes' }), 'invalid_request', ['secondFactorRequired'])
  await enrol(t, server, token)
  expectSuccess(t, await edit({ secondFactorRequired: false }))
  expectSuccess(t, await firstStep(server, 'alice', inTenant))
})

test('an administrator of a tenant requires a second factor of a role, as it may edit roles', async (t) => {
  const { server, token } = await startWithAdministrator(t, { settings })
  const { operator } = server
  await operator.addRole('clerk', 'Clerk', ['orders:order:read'])
  await server.addUser('alice', { roles: ['clerk'] })
  const local = await signInAs(server, 'local', { userType: 1, permissions: ['system:role:edit', 'system:role:list'] })
  const edit = (json: object, as = local) => server.call('PATCH', '/system/role/clerk', { token: as, json })
  const changed = expectSuccess(t, await edit({ secondFactorRequired: true }))
  t.match(changed, { key: 'clerk', permissions: ['orders:order:read'], secondFactorRequired: true })
  const [row] = await audit(server, token)
  t.match(row, { action: 'role.edit', before: { secondFactorRequired: false }, after: { secondFactorRequired: true } })
  t.strictSame(Object.keys(row?.['after'] as object), ['secondFactorRequired'])
  expectProblem(t, await firstStep(server, 'alice'), 'second_factor_setup_required')
  expectSuccess(t, await edit({ name: 'Clerks' }))
  t.equal(
    expectSuccess(t, await server.call('GET', '/system/role/clerk', { token: local })).secondFactorRequired,
    true,
    'other changes leave it',
  )
  await operator.addTenant('other')
  const stranger = await signInAs(server, 'stranger', { tenantId: 2, userType: 1, permissions: ['system:role:edit'] })
  expectProblem(t, await edit({ secondFactorRequired: false }, stranger), 'not_found')
  const clerk = await signInAs(server, 'user', { permissions: ['system:role:edit'] })
  expectProblem(t, await edit({ secondFactorRequired: false }, clerk), 'permission_denied')
  await enrol(t, server, local)
  expectSuccess(t, await edit({ secondFactorRequired: false }))
  expectSuccess(t, await firstStep(server, 'alice'))
})

test('only a system administrator exempts an account, and no policy asks it for a factor', async (t) => {
  const { server, token } = await startWithAdministrator(t, { settings })
  await enrol(t, server, token)
  const { id } = await server.addUser('robot')
  const json = { secondFactorRequired: true }
  expectSuccess(t, await server.call('PATCH', '/system/tenant/1', { token, json }))
  expectProblem(t, await firstStep(server, 'robot'), 'second_factor_setup_required')
  const edit = (json: object, as = token, headers: Record<string, string> = {}) =>
    server.call('PATCH', `/system/user/${id}`, { token: as, json, headers })
  const before = expectSuccess(t, await server.call('GET', `/system/user/${id}`, { token }))
  t.equal(before.factorExempt, false)
  server.clock.advance(1)
  const changed = expectSuccess(t, await edit({ factorExempt: true }))
  t.equal(changed.factorExempt, true)
  t.not(changed.updateTime, before.updateTime, 'it is another version for If-Match')
  expectProblem(t, await edit({ realName: 'R' }, token, { 'if-match': before.updateTime }), 'changed_meanwhile')
  expectSuccess(t, await firstStep(server, 'robot'))
  const [row] = await audit(server, token)
  t.match(row, {
    ...{ action: 'user.exempt', targetName: 'robot' },
    ...{ before: { factorExempt: false }, after: { factorExempt: true } },
  })
  const count = (await audit(server, token)).length
  expectSuccess(t, await edit({ factorExempt: true }))
  t.equal((await audit(server, token)).length, count)
  t.equal(expectSuccess(t, await edit({ realName: 'Robot' })).factorExempt, true, 'other changes leave it')
  t.equal((await audit(server, token))[0]?.['action'], 'user.edit')

  expectSuccess(t, await server.call('PATCH', '/system/tenant/1', { token, json: { secondFactorRequired: false } }))
  const local = await signInAs(server, 'local', { userType: 1, permissions: ['system:user:edit'] })
  expectProblem(t, await edit({ factorExempt: false }, local), 'permission_denied')
  expectSuccess(t, await edit({ factorExempt: true, remark: 'Nightly' }, local))
  expectProblem(t, await edit({ factorExempt: null }), 'invalid_request', ['factorExempt'])
  t.equal((await server.app.db.factorStates.find(id)).exempt, true)
})
