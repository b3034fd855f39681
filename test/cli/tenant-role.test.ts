import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'

test('tenant add says the id, and tenant list lists what there is', async (t) => {
  const { done, json } = await createCli(t)
  t.equal(await done('tenant add Acme'), 'Added tenant Acme (id 2).\n')
  t.same(await json('tenant add Umbrella'), { id: 3, name: 'Umbrella' })
  t.equal(await done(['tenant', 'add', '中文 租户']), 'Added tenant 中文 租户 (id 4).\n')
  t.equal(await done('tenant list'), '1\tDefault\n2\tAcme\n3\tUmbrella\n4\t中文 租户\n')
  t.match(await json('tenant list'), [
    { id: 1, name: 'Default', enabled: true },
    { id: 2, name: 'Acme', enabled: true },
    { id: 3, name: 'Umbrella', enabled: true },
    { id: 4, name: '中文 租户', enabled: true },
  ])
})

test('role add, grant and assign hold at once in a running server', async (t) => {
  const { done, json, directory } = await createCli(t)
  const server = await startProcess(t, { directory })
  await done('user add --username alice --no-force-change --password-stdin', { input: userPassword })
  const { accessToken: token } = (await server.signIn('alice', userPassword)).body.data
  const page = () => server.call('GET', '/system/user/page', { token })
  const permissions = async () => (await server.call('GET', '/auth/current/permissions', { token })).body.data
  t.match((await page()).body.data, { reason: 'permission_denied' })
  t.equal(await done(['role', 'add', 'editor', 'a:b:c', '--name', 'Editor in chief']), 'Added role editor (id 2).\n')
  t.equal(await done('role assign editor alice'), 'User alice now has the role editor.\n')
  t.same(await permissions(), ['a:b:c'])
  t.match((await page()).body.data, { reason: 'permission_denied' })
  t.equal(await done('role grant editor system:user:list d:*:*'), 'Role editor now also has system:user:list, d:*:*.\n')
  t.equal((await page()).status, 200)
  t.same((await permissions()).sort(), ['a:b:c', 'd:*:*', 'system:user:list'])
  t.match(await json('role add viewer x:y:z'), { id: 3, key: 'viewer', permissions: ['x:y:z'] })
  const granted = await json('role grant viewer x:y:*')
  t.same(granted, { id: 3, key: 'viewer', permissions: ['x:y:*', 'x:y:z'] }, 'all that the role has now')
  t.same(await json('role revoke viewer x:y:z a:b:c'), { id: 3, key: 'viewer', permissions: ['x:y:*'] })
  t.match(await json('role assign viewer alice'), { userId: 2, username: 'alice', role: 'viewer' })
})

test('granting and assigning once more changes nothing', async (t) => {
  const { done, content } = await createCli(t)
  await done('role add editor a:b:c')
  await done('role assign editor admin')
  const before = content()
  await done('role grant editor a:b:c')
  await done('role assign editor admin')
  t.same(content(), before)
})

test('a role belongs to its tenant', async (t) => {
  const { done, run } = await createCli(t)
  await done('tenant add Acme')
  await done('role add editor a:b:c --tenant Acme')
  expectRefusal(
    t,
    await run('role assign editor admin'),
    1,
    'error: role "editor" is not a known role of this tenant\n',
  )
  await done('role add editor d:e:f')
  await done('role grant editor g:h:i --tenant 2')
})
