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
]
