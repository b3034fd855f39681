import type { CompatMenuFolder, CompatMenuPage } from './schemas/self.js'
import type { Language } from '../schemas/problems.js'
import { covers, type OwnPermission } from '../lib/permissions.js'

interface Page {
  id: number
  path: string
  component: string
  icon: string
  permission: OwnPermission
  en: string
  zh: string
}

const folder = { id: 1, path: '/system', icon: 'system', en: 'System', zh: '系统管理' }

/** The pages of the front end that Rollcall serves, with the permission of their list. */
const pages: Page[] = [
  {
    id: 2,
    path: 'user',
    component: 'system/user/index',
    icon: 'user',
    permission: 'system:user:list',
    en: 'Users',
    zh: '用户管理',
  },
  {
    id: 3,
    path: 'online',
    component: 'system/online/index',
    icon: 'online',
    permission: 'system:session:list',
    en: 'Online users',
    zh: '在线用户',
  },
  {
    id: 4,
    path: 'loginLog',
    component: 'system/loginLog/index',
    icon: 'logininfor',
    permission: 'system:loginlog:list',
    en: 'Login log',
    zh: '登录日志',
  },
]

const toPage = (
  { id, path, component, icon, permission, ...names }: Page,
  index: number,
  language: Language,
): CompatMenuPage => ({
  id,
  parentId: folder.id,
  menuName: names[language],
  path,
  component,
  icon,
  menuType: 'C',
  perms: permission,
  orderNum: index + 1,
  visible: true,
  children: [],
})

/** The menu of a caller with these permissions: the pages whose list it may see. */
export const menuFor = (permissions: string[], language: Language): CompatMenuFolder[] => {
  const open = pages.filter(({ permission }) => permissions.some(covers(permission)))
  if (open.length === 0) return []
  return [
    {
      id: folder.id,
      parentId: 0,
      menuName: folder[language],
      path: folder.path,
      component: null,
      icon: folder.icon,
      menuType: 'M',
      perms: null,
      orderNum: 1,
      visible: true,
      children: open.map((page, index) => toPage(page, index, language)),
    },
  ]
}
