import { join } from 'node:path'
import { test } from 'tap'
import { housePermissions, ownPermissions } from '../../../lib/permissions.js'
import { languages, wordsOf } from '../../helpers/browser/pages.js'
import { root } from '../../helpers/processes/project.js'
import { startWithRoutes } from '../../helpers/service/routes.js'

/** The table of the page, which may import no code of the service. */
const tableOfPage = async (): Promise<{ resource: string; permissions: string[] }[]> =>
  (await import(join(root, 'pages/console/roles/own-permissions.ts'))).ownGroups

test('the permission editor has a checkbox for each permission that a route of the service asks for', async (t) => {
  const offered = (await tableOfPage()).flatMap(({ permissions }) => permissions)
  const { routes } = await startWithRoutes(t)
  const asked = new Set(routes.map(({ access }) => access).filter((access) => access.startsWith('system:')))
  t.ok(asked.size > 10)
  for (const access of asked) t.ok((ownPermissions as readonly string[]).includes(access), access)
  t.strictSame(offered.toSorted(), housePermissions.toSorted(), 'a guest brings boxes for its own')
})

test('each of these permissions has words in both languages', async (t) => {
  for (const language of languages) {
    const { permissions, resources } = (await wordsOf(language, 'console'))['roles']
    for (const group of await tableOfPage()) {
      t.ok(resources[group.resource], `${language}: ${group.resource}`)
      for (const permission of group.permissions) t.ok(permissions[permission], `${language}: ${permission}`)
    }
  }
})
