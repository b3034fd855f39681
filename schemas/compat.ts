import {
  CompatDict,
  CompatDictItem,
  CompatNothing,
  CompatOrgBinding,
  CompatOrgBindings,
  CompatOrgRoles,
  CompatRoleIds,
  CompatTenantOption,
  CompatTenantOptions,
  CompatUnit,
  CompatUnits,
} from './compat-units.js'
import { CompatLogin, CompatLoginPage, CompatOnlinePage, CompatOnlineUser } from './compat-online.js'
import {
  CompatMenu,
  CompatMenuFolder,
  CompatMenuPage,
  CompatPlatform,
  CompatPlatforms,
  CompatProfile,
} from './compat-self.js'
import { CompatIds, CompatNewUser, CompatUser, CompatUserChange } from './compat-users.js'

/** The named components of the routes for an existing front end. */
export const compatComponents = [
  CompatNewUser,
  CompatUserChange,
  CompatUser,
  CompatIds,
  CompatOrgBinding,
  CompatOrgBindings,
  CompatRoleIds,
  CompatOrgRoles,
  CompatTenantOption,
  CompatTenantOptions,
  CompatUnit,
  CompatUnits,
  CompatDictItem,
  CompatDict,
  CompatNothing,
  CompatProfile,
  CompatPlatform,
  CompatPlatforms,
  CompatMenuPage,
  CompatMenuFolder,
  CompatMenu,
  CompatOnlineUser,
  CompatOnlinePage,
  CompatLogin,
  CompatLoginPage,
]
