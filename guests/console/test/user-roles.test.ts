import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { createFrontEnd } from './front-end.js'
import { startServer } from '../../../test/helpers/service/server.js'
import { signInAs } from '../../../test/helpers/service/users.js'

test('a tenant is its own one unit, in which the roles of a user are replaced', async (t) => {
  const server = await startServer(t)
  const frontEnd = createFrontEnd(server, (await server.signIn()).accessToken)
  await server.operator.addTenant('Other')
  const editor = await server.operator.addRole('editor', 'Editor', ['page:text:edit'])
  const reader = await server.operator.addRole('reader', 'Reader', ['page:text:read'])
  const foreign = await server.operator.addRole('foreign', 'Foreign', [], 2)
  const { id } = await server.addUser('alice', { roles: ['editor'] })
  const bindings = `/system/user/${id}/org-bindings`
  const roles = `/system/user/${id}/org-roles`
  const unit = { orgId: 1, orgName: 'Default', isMain: true, roleNames: ['Editor'] }
  t.strictSame(expectSuccess(t, await frontEnd.get(bindings, { tenantId: 1 })), [unit])
  t.strictSame(expectSuccess(t, await frontEnd.get(bindings, { tenantId: '' })), [unit])
  t.strictSame(expectSuccess(t, await frontEnd.get(bindings, { tenantId: 2 })), [])
  t.strictSame(expectSuccess(t, await frontEnd.get(roles, { orgId: 1, tenantId: 1 })), [editor.id])
  t.strictSame(expectSuccess(t, await frontEnd.get(roles, { orgId: 2, tenantId: 1 })), [])
  const replace = (json: object) => frontEnd.json(roles, { orgId: 1, tenantId: 1, ...json })
  const version = async () => (await server.app.db.users.find(id))?.updateTime ?? 0
  const before = await version()
  expectSuccess(t, await replace({ roleIds: [editor.id] }))
  t.equal(await version(), before, 'the same roles are no new version')
  t.equal(expectSuccess(t, await replace({ roleIds: [reader.id] })), null)
  t.ok((await version()) > before, 'other roles are a new version for If-Match')
  t.strictSame(expectSuccess(t, await frontEnd.get(roles)), [reader.id])
  const refused: [object, string[]][] = [
    [{ roleIds: [reader.id, foreign.id, 999] }, ['roleIds']],
    [{ roleIds: null }, ['roleIds']],
    [{ orgId: 2, roleIds: [] }, ['orgId']],
    [{ tenantId: 2, roleIds: [] }, ['orgId']],
  ]
  for (const [json, fields] of refused) expectProblem(t, await replace(json), 'invalid_request', fields)
  const weak = await signInAs(server, 'weak', { permissions: ['system:user:edit', 'page:text:read'] })
  const tooMuch = await createFrontEnd(server, weak).json(roles, { orgId: 1, roleIds: [reader.id, editor.id] })
  expectProblem(t, tooMuch, 'invalid_request', ['roleIds'])
  t.match(tooMuch.body.message, /^Choice of roles is more than you may give/)
  t.strictSame(expectSuccess(t, await frontEnd.get(roles)), [reader.id])
  expectSuccess(t, await replace({ roleIds: [] }))
  t.strictSame(expectSuccess(t, await frontEnd.get(bindings)), [{ ...unit, roleNames: [] }])
  expectProblem(t, await frontEnd.get('/system/user/999/org-bindings'), 'not_found', ['id'])
})
