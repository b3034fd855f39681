import { test } from 'tap'
import { createCli, expectRefusal } from '../helpers/processes/cli.js'
import { userPassword } from '../helpers/service/passwords.js'
import { startProcess } from '../helpers/processes/process.js'

const addAlice = 'user add --username alice --no-force-change --password-stdin'

test('role revoke, unassign and delete hold at once in a running server', async (t) => {
  const { done, directory } = await createCli(t)
  const server = await startProcess(t, { directory })
  await done(addAlice, { input: userPassword })
  const { accessToken: token } = (await server.signIn('alice', userPassword)).body.data
  const permissions = async () => (await server.call('GET', '/auth/current/permissions', { token })).body.data
  await done('role add editor a:b:c d:e:f')
  await done('role assign editor alice')
  t.same(await permissions(), ['a:b:c', 'd:e:f'])
  t.equal(await done('role revoke editor a:b:c x:y:z'), 'Role editor no longer has a:b:c, x:y:z.\n')
  t.same(await permissions(), ['d:e:f'])
  t.equal(await done('role unassign editor alice'), 'User alice no longer has the role editor.\n')
  t.same(await permissions(), [])
  await done('role assign editor alice')
  t.equal(await done('role delete editor --yes'), 'Deleted role editor.\n')
  t.same(await permissions(), [])
})

test('role assign and unassign make a new version of the user, unless nothing changes', async (t) => {
  const { done, json } = await createCli(t)
  await done('role add editor a:b:c')
  const version = async () => (await json('user show admin')).updateTime
  const versions = [await version()]
  for (const command of ['assign', 'assign', 'unassign', 'unassign']) {
    await done(`role ${command} editor admin`)
    versions.push(await version())
  }
  const [before, assigned, assignedAgain, unassigned, unassignedAgain] = versions
  t.ok(assigned > before)
  t.equal(assignedAgain, assigned)
  t.ok(unassigned > assigned)
  t.equal(unassignedAgain, unassigned)
})

test('role list shows roles with their permissions', async (t) => {
  const { done, json } = await createCli(t)
  await done('tenant add Acme')
  await done('role add editor a:b:c d:e:f --name Editors')
  await done('role add viewer x:y:z --tenant Acme')
  t.equal(
    await done('role list'),
    '1\ttenant 1\tadmin\tAdministrator\t*:*:*\n2\ttenant 1\teditor\tEditors\ta:b:c d:e:f\n3\ttenant 2\tviewer\tviewer\tx:y:z\npage 1 of 1, 3 roles\n',
  )
  t.match(await json('role list --tenant Acme'), { total: 1, records: [{ key: 'viewer', permissions: ['x:y:z'] }] })
})

test('tenant rename gives a tenant another name', async (t) => {
  const { done, run } = await createCli(t)
  await done('tenant add Acme')
  t.equal(await done('tenant rename Acme Umbrella'), 'Tenant Acme is now named Umbrella.\n')
  t.equal(await done('tenant list'), '1\tDefault\n2\tUmbrella\n')
  expectRefusal(t, await run('tenant rename Umbrella Default'), 1, /already taken/)
  expectRefusal(t, await run('tenant rename Acme Other'), 1, /is not a known tenant/)
})

test('no command takes the rights of the last administrator', async (t) => {
  const { run, content } = await createCli(t)
  const before = content()
  for (const command of [
    'role unassign admin admin',
    'role delete admin --yes',
    'role revoke admin *:*:*',
    'tenant disable 1',
  ])
    expectRefusal(t, await run(command), 1, /no administrator/)
  t.same(content(), before)
})

test('every change by a command is in the audit trail, with the user of the system and without a secret', async (t) => {
  const { done, json } = await createCli(t)
  const commands: [command: string, action: string | undefined][] = [
    ['tenant add Acme', 'tenant.add'],
    ['tenant rename Acme Umbrella', 'tenant.edit'],
    ['tenant disable Umbrella', 'tenant.disable'],
    ['tenant enable Umbrella', 'tenant.enable'],
    ['tenant methods 1 --disable password_captcha', 'tenant.methods'],
    ['role add editor a:b:c', 'role.add'],
    ['role grant editor d:e:f', 'role.edit'],
    ['role revoke editor d:e:f', 'role.edit'],
    [addAlice, 'user.add'],
    ['role assign editor alice', 'user.roles'],
    ['role unassign editor alice', 'user.roles'],
    ['user edit alice --email alice@example.com', 'user.edit'],
    ['user verify alice', 'user.verify'],
    ['user passwd alice --password-stdin', 'user.password'],
    ['user disable alice', 'user.disable'],
    ['user enable alice', 'user.enable'],
    // She has not failed and is not locked: nothing changes.
    ['user unlock alice', undefined],
    ['keys rotate', 'key.rotate'],
    ['role delete editor --yes', 'role.delete'],
    ['user delete alice --yes', 'user.delete'],
  ]
  const expected: string[] = []
  for (const unrecorded of ['tenant methods 1', 'tenant methods 1 --enable password', 'user edit admin --remark='])
    await done(unrecorded)
  for (const [command, action] of commands) {
    await done(command, { input: userPassword })
    if (action !== undefined) expected.unshift(action)
  }
  const found = await json('audit --page-size 100')
  t.same(
    found.records.map((row: { action: string }) => row.action),
    expected,
  )
  for (const row of found.records) {
    t.match(row, { source: 'command line', actorId: null, address: '' })
    t.not(row.actorName, '')
  }
  t.notMatch(JSON.stringify(found), /argon2|plain green/)
  const names = async (options: string) =>
    (await json(`audit ${options}`)).records.map((row: { action: string }) => row.action)
  t.same(await names('--action user.add'), ['user.add'])
  t.same(await names('--target editor'), ['role.delete', 'role.edit', 'role.edit', 'role.add'])
  t.same(await names('--tenant Umbrella --page-size 1'), ['tenant.enable'])
  t.same(await names('--until 2001-01-01'), [])
  t.match(
    await done('audit --action user.add'),
    /\(command line\)\t-\tuser\.add\tuser alice \(2\)\t- > \{"username":"alice"/,
  )
})
