import type { CompatMenuFolder, CompatMenuPage } from './schemas/self.js'
import type { Language } from '../../schemas/problems.js'
import { covers, type OwnPermission } from '../../lib/permissions.js'

/** Numbers of the front end. An entry without them is dropped. */
const resourceTypes = { folder: 1, page: 2 }
const shown = { visible: 1, menuStatus: 1 }

interface Page extends Record<Language, string> {
  path: string
  component: string
  icon: string
  permission: OwnPermission
}

const folder = { id: 1, path: '/system', icon: 'ai-icon:settings', en: 'System', zh: '系统管理' }

/**
 * The pages of the front end that Rollcall serves, with the permission of their list. The front end has a file for each
 * `component`, and answers 403 to everybody for a page that is not in its menu.
 */
const pages: Page[] = [
  {
    ...{ path: '/system/user', component: 'system/user', icon: 'ai-icon:user', permission: 'system:user:list' },
    ...{ en: 'Users', zh: '用户管理' },
  },
  {
    ...{ path: '/system/online', component: 'system/online/index', icon: 'ai-icon:monitor' },
    ...{ permission: 'system:session:list', en: 'Online users', zh: '在线用户' },
  },
  {
    ...{ path: '/system/login-log', component: 'system/login-log', icon: 'ai-icon:log' },
    ...{ permission: 'system:loginlog:list', en: 'Login log', zh: '登录日志' },
  },
]

const toPage = (page: Page, index: number, language: Language): CompatMenuPage => ({
  // The same in every menu, whatever else the caller may open.
  id: folder.id + 1 + index,
  parentId: folder.id,
  resourceName: page[language],
  resourceType: resourceTypes.page,
  path: page.path,
  component: page.component,
  sort: index + 1,
  icon: page.icon,
  perms: page.permission,
  ...shown,
  children: [],
})

/** The menu of a caller with these permissions: the pages whose list it may see. */
export const menuFor = (permissions: string[], language: Language): CompatMenuFolder[] => {
  const children = pages
    .map((page, index) => toPage(page, index, language))
    .filter(({ perms }) => permissions.some(covers(perms as OwnPermission)))
  if (children.length === 0) return []
  const { id, path, icon } = folder
  return [
    {
      id,
      parentId: 0,
      resourceName: folder[language],
      resourceType: resourceTypes.folder,
      path,
      sort: 1,
      icon,
      ...shown,
      children,
    },
  ]
}
