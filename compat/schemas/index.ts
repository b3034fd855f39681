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
} from './units.js'
import { CompatLogin, CompatLoginPage, CompatOnlinePage, CompatOnlineUser } from './online.js'
import { CompatMenu, CompatMenuFolder, CompatMenuPage, CompatPlatform, CompatPlatforms, CompatProfile } from './self.js'
import { CompatExportRequest } from './shared.js'
import { CompatIds, CompatNewUser, CompatUser, CompatUserChange } from './users.js'

/** The named components of these requests. */
export const components = [
  CompatNewUser,
  CompatUserChange,
  CompatUser,
  CompatIds,
  CompatExportRequest,
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
