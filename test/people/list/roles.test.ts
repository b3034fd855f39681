import { test, type Test } from 'tap'
import { expectProblem, expectSuccess } from '../../helpers/service/expect.js'
import { insertManyUsers } from '../../helpers/service/many-users.js'
import { startServer } from '../../helpers/service/server.js'
import { importFile } from '../../helpers/service/upload.js'
import { askPage, insertUsers, namesOf, signInAs } from '../../helpers/service/users.js'

/** Two tenants that both have the role `editor`, with three and two users. */
const start = async (t: Test) => {
  const server = await startServer(t)
  const { operator } = server
  const { id: acme } = await operator.addTenant('Acme')
  for (const tenantId of [1, acme]) {
    await operator.addRole('editor', 'Editor', [], tenantId)
    await operator.addRole('Editor', 'Another', [], tenantId)
  }
  const here = ['anna', 'bert', 'carl', 'dora'].map((username) => ({ username }))
  const there = ['emma', 'fritz', 'gina'].map((username) => ({ username, tenantId: acme }))
  const ids = await insertUsers(server, [...here, ...there])
  for (const name of ['anna', 'bert', 'carl']) await operator.assign('editor', name)
  for (const name of ['emma', 'fritz']) await operator.assign('editor', name, acme)
  await operator.assign('Editor', 'dora')
  await operator.assign('Editor', 'anna')
  const token = (await server.signIn()).accessToken
  const find = async (query: string, caller = token) => {
    const page = expectSuccess(t, await askPage(server, caller, query))
    return { names: namesOf(page).sort().join(' '), total: page.total }
  }
  return { server, operator, acme, ids, token, find }
}

test('who has a role is found by its key, beside all other filters, and the total is exact', async (t) => {
  const { acme, find } = await start(t)
  const rows: [query: string, names: string][] = [
    ['role=editor', 'anna bert carl emma fritz'],
    ['role=%20editor%20', 'anna bert carl emma fritz'],
    ['role=Editor', 'anna dora'],
    ['role=edit', ''],
    ['role=nobody', ''],
    ['role=%25', ''],
    [`role=${'x'.repeat(200)}`, ''],
    ['role=admin', 'admin'],
    [`role=editor&tenantId=${acme}`, 'emma fritz'],
    [`role=editor&tenantId=99`, ''],
    ['role=editor&keyword=A', 'anna carl emma'],
    ['role=editor&search=A', 'anna carl emma'],
    ['role=editor&username=rt&realName=B', 'bert'],
    ['role=editor&userStatus=0', ''],
    ['role=editor&userType=2&hasSecondFactor=false', 'anna bert carl emma fritz'],
  ]
  for (const [query, names] of rows) {
    await t.test(query.slice(0, 60), async (t) => {
      for (const order of ['', '&orderByColumn=realName', '&orderByColumn=loginCount,username&isAsc=desc,asc'])
        t.same(await find(`${query}${order}`), { names, total: names === '' ? 0 : names.split(' ').length })
    })
  }
  t.same(await find('role=editor&pageSize=2&pageNum=3&orderByColumn=username'), { names: 'fritz', total: 5 })
  t.same(await find('role=editor&pageSize=2&pageNum=9'), { names: '', total: 5 })
  t.equal((await find('role=')).total, 8, 'blank is absent')
})

test('a role is asked for once, as a text', async (t) => {
  const { server, token } = await start(t)
  for (const query of ['role=a&role=b', `role=${'x'.repeat(201)}`, 'role=a%00'])
    expectProblem(t, await server.call('GET', '/system/user/page', { token, query }), 'invalid_request', ['role'])
})

test('an administrator of a tenant finds only its own people, and who may not list nobody', async (t) => {
  const { server, acme, find } = await start(t)
  const boss = await signInAs(server, 'boss', { tenantId: acme, userType: 1, permissions: ['system:user:list'] })
  t.same(await find('role=editor', boss), { names: 'emma fritz', total: 2 })
  t.same(await find('role=editor&tenantId=1', boss), { names: '', total: 0 })
  t.same(await find('role=admin', boss), { names: '', total: 0 }, 'a role of another tenant')
  const plain = await signInAs(server, 'plain', { permissions: ['system:role:list'] })
  expectProblem(t, await askPage(server, plain, 'role=editor'), 'permission_denied')
})

test('a role that is given or taken, in whatever way, counts in the next page', async (t) => {
  const { server, operator, ids, token, find } = await start(t)
  const [anna = 0, bert = 0, carl = 0, dora = 0] = ids
  const send = async (method: string, path: string, json?: object) =>
    expectSuccess(t, await server.call(method, path, { token, ...(json && { json }) }))
  // The same page several times: it is remembered.
  const expectEditors = async (names: string, why: string) => {
    for (const query of ['role=editor&tenantId=1', 'role=editor&tenantId=1', 'role=editor&tenantId=1&keyword=a']) {
      const all = names.split(' ').filter((name) => !query.includes('keyword') || name.includes('a'))
      t.same(await find(query), { names: all.join(' '), total: all.length }, `${why}: ${query}`)
    }
  }
  await expectEditors('anna bert carl', 'at first')
  await send('PUT', `/system/user/${dora}/roles`, { roleKeys: ['editor'] })
  await expectEditors('anna bert carl dora', 'given')
  await send('PATCH', `/system/user/${anna}`, { roleKeys: ['Editor'] })
  await expectEditors('bert carl dora', 'taken by a change of the user')
  await send('POST', '/system/user', { username: 'hana', password: 'a brand new kettle', roleKeys: ['editor'] })
  await expectEditors('bert carl dora hana', 'a new user')
  await operator.assign('editor', 'anna')
  await expectEditors('anna bert carl dora hana', 'by a command')
  const file = 'username,realName,roles\r\nivan,Ivan,editor\r\njoan,Joan,\r\n'
  t.match(expectSuccess(t, await importFile(server, token, file)), { added: 2 })
  await expectEditors('anna bert carl dora hana ivan', 'imported')
  await send('DELETE', `/system/user/${bert}`)
  await send('POST', '/system/user/batch', { ids: [carl], action: 'delete' })
  await expectEditors('anna dora hana ivan', 'deleted users')
  await send('DELETE', '/system/role/editor?tenantId=1')
  t.same(await find('role=editor&tenantId=1'), { names: '', total: 0 }, 'a deleted role')
  t.same(await find('role=editor'), { names: 'emma fritz', total: 2 }, 'the role of the other tenant stays')
  await send('POST', '/system/role', { key: 'editor', name: 'Editor', permissions: [] })
  t.same(await find('role=editor&tenantId=1'), { names: '', total: 0 }, 'a new role of that key has nobody')
  await send('PUT', `/system/user/${dora}/roles`, { roleKeys: ['editor'] })
  await expectEditors('dora', 'given again')
})

test('a role that thousands have is found, and changes for all of them at once', async (t) => {
  const { server, operator, token, find } = await start(t)
  await insertManyUsers(server.directory, 3000)
  const { ids } = await server.app.db.transaction(async (inside) => {
    const role = await inside.roles.find(1, 'editor')
    const found = await inside.users.findMany(Array.from({ length: 3000 }, (_, index) => index + 1))
    const ids = found.filter(({ username }) => username.startsWith('user')).map(({ id }) => id)
    await inside.roles.assignMany(ids.map((userId) => ({ userId, roleId: role?.id ?? 0 })))
    return { ids }
  })
  t.ok(ids.length > 2000)
  t.equal((await find('role=editor&tenantId=1')).total, ids.length + 3)
  await operator.assign('editor', 'dora')
  t.equal((await find('role=editor&tenantId=1')).total, ids.length + 4)
  expectSuccess(t, await server.call('DELETE', '/system/role/editor?tenantId=1', { token }))
  t.same(await find('role=editor&tenantId=1'), { names: '', total: 0 })
})
