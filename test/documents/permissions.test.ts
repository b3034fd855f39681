import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { housePermissions, ownPermissions } from '../../lib/permissions.js'
import { rowsOf } from '../helpers/documents/documents.js'
import { root } from '../helpers/processes/project.js'
import { startWithRoutes } from '../helpers/service/routes.js'

const page = 'docs/roles-and-permissions.md'
const rows = rowsOf(page).filter(([name = '']) => name.startsWith('system:'))

interface Documented {
  paths: Record<string, object>
}
const operationNames = ({ paths }: Documented) =>
  Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))

/** What each permission opens, as the routes of a service with all features say it. */
const readRoutes = async (t: Test): Promise<Map<string, string[]>> => {
  const { server, routes } = await startWithRoutes(t)
  // Other documents have pages of their own.
  const [, ...others] = server.app.documents
  const elsewhere = others.flatMap(({ read }) => operationNames(read() as Documented))
  const found = new Map<string, string[]>()
  for (const { access, method, path } of routes) {
    const operation = `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
    if (!elsewhere.includes(operation)) found.set(access, [...(found.get(access) ?? []), operation])
  }
  return found
}

test('the page names every permission of the house and no other', (t) => {
  t.same(
    rows.map(([name]) => name),
    housePermissions,
  )
  t.end()
})

test('the page lists for each permission the operations that it opens, and no others', async (t) => {
  const routes = await readRoutes(t)
  t.ok((routes.get('session') ?? []).includes('GET /auth/userInfo'))
  for (const [name = '', , operations = ''] of rows) {
    const listed = operations === '' ? [] : operations.split(', ')
    t.same(listed.toSorted(), (routes.get(name) ?? []).toSorted(), name)
  }
  const known = new Set<string>(['open', 'session', ...ownPermissions])
  t.same(
    [...routes.keys()].filter((access) => !known.has(access)),
    [],
    'every route asks for a permission of the list in lib/permissions.ts',
  )
})

test('no part of the program asks for a permission that is not in the list', (t) => {
  const files = globSync('{cli,db,lib,plugins,routes,schemas}/**/*.ts', { cwd: root })
  const asked = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bsystem:\w+:\w+/g)].map(([name]) => ({ file, name })),
  )
  t.ok(asked.length > 50)
  const known = new Set<string>(ownPermissions)
  t.same(
    asked.filter(({ name }) => !known.has(name)),
    [],
  )
  t.end()
})
