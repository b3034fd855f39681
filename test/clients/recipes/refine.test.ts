import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { filesToSave } from '../../helpers/documents/documents.js'
import { emptyDirectory } from '../../helpers/processes/child.js'
import { programs } from '../../helpers/processes/project.js'
import { adminPassword, startServer, userPassword } from '../../helpers/service/server.js'

const page = 'docs/recipes/refine.md'

test('the providers for refine sign in, list, add, change and delete users', async (t) => {
  const server = await startServer(t)
  await server.addUser('alice', { email: 'alice@example.com' })
  const project = join(emptyDirectory(t), 'src')
  mkdirSync(project, { recursive: true })
  for (const [name, code] of filesToSave(page)) writeFileSync(join(project, '..', name), code)
  const client = pathToFileURL(join(programs, 'client/index.js')).href
  writeFileSync(join(project, '../package.json'), '{"type":"module"}')
  writeFileSync(
    join(project, 'rollcall.js'),
    `import { createClient } from '${client}'\nexport const rollcall = createClient({ baseUrl: '${server.origin}' })\n`,
  )
  const { dataProvider, authProvider } = await import(join(project, 'providers.js'))

  t.strictSame(await authProvider.check(), { authenticated: false, redirectTo: '/login' })
  t.match(await authProvider.login({ username: 'admin', password: 'wrong' }), {
    success: false,
    error: { status: 400 },
  })
  t.match(await authProvider.login({ username: 'admin', password: adminPassword }), { success: true })
  t.strictSame(await authProvider.check(), { authenticated: true })
  t.match(await authProvider.getIdentity(), { username: 'admin' })

  const user = { resource: 'user' }
  const added = await dataProvider.create({ ...user, variables: { username: 'bob', password: userPassword } })
  t.match(added.data, { username: 'bob' })
  const { id } = added.data
  const sorters = [{ field: 'username', order: 'desc' }]
  const names = async (more: object) => {
    const { data, total } = await dataProvider.getList({ ...user, sorters, ...more })
    return { total, names: data.map(({ username }: { username: string }) => username) }
  }
  t.strictSame(await names({}), { total: 3, names: ['bob', 'alice', 'admin'] })
  t.strictSame(await names({ pagination: { currentPage: 2, pageSize: 2 } }), { total: 3, names: ['admin'] })
  const filters = [{ field: 'username', operator: 'contains', value: 'ali' }]
  t.strictSame(await names({ filters }), { total: 1, names: ['alice'] })

  t.match((await dataProvider.update({ ...user, id, variables: { realName: 'Bob' } })).data, { realName: 'Bob' })
  t.match((await dataProvider.getOne({ ...user, id })).data, { username: 'bob', realName: 'Bob' })
  await dataProvider.deleteOne({ ...user, id, variables: undefined })
  const gone = await dataProvider.getOne({ ...user, id }).catch(({ status }: { status: number }) => status)
  t.equal(gone, 404)
  t.strictSame(await authProvider.onError({ status: 403 }), {})
  t.match(await authProvider.onError({ status: 401 }), { logout: true })

  t.match(await authProvider.logout(), { success: true })
  t.match(await authProvider.check(), { authenticated: false })
  t.equal(filesToSave(page).size, 1)
})
