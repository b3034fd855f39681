import { Audit } from './activity/audit.js'
import { Sessions } from './activity/sessions.js'
import { SignIns } from './activity/sign-ins.js'
import { brought } from './guests.js'
import { later } from './later.js'
import { Overview } from './overview/overview.js'
import { AddUser } from './users/new-user.js'
import { Users } from './users/users.js'
import { UserRoom } from './user/user.js'
import { Roles } from './roles/roles.js'
import { TenantRoom } from './tenants/tenant.js'
import { Tenants } from './tenants/tenants.js'
import type { Room } from './room.js'
import { words } from './words.js'

const Import = later(async () => (await import('./import/import.js')).Import)
const RoleRoom = later(async () => (await import('./roles/role.js')).RoleRoom)

/** The pages of the console, and those that guests bring. A function, because the words come later than the module. */
export const rooms = (): Room[] => [
  { path: '', text: words.overview.title, component: Overview },
  { path: 'users', text: words.users.title, group: 'directory', needs: 'system:user:list', component: Users },
  { path: 'users/import', needs: 'system:user:add', component: Import },
  { path: 'users/new', needs: 'system:user:add', component: AddUser },
  // After the other pages below `users`, whose names are no ids.
  { path: 'users/:id/:tab?', needs: 'system:user:view', component: UserRoom },
  { path: 'roles', text: words.roles.title, group: 'directory', needs: 'system:role:list', component: Roles },
  { path: 'roles/:key', needs: 'system:role:list', component: RoleRoom },
  { path: 'tenants', text: words.tenants.title, group: 'directory', needs: 'system:tenant:list', component: Tenants },
  { path: 'tenants/:id', needs: 'system:tenant:list', component: TenantRoom },
  {
    path: 'sessions',
    text: words.sessions.title,
    group: 'activity',
    needs: 'system:session:list',
    component: Sessions,
  },
  { path: 'sign-ins', text: words.signIns.title, group: 'activity', needs: 'system:loginlog:list', component: SignIns },
  { path: 'audit', text: words.audit.title, group: 'activity', needs: 'system:audit:list', component: Audit },
  ...brought.flatMap(({ rooms = [] }) => rooms),
]
