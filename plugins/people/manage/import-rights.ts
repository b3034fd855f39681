import type { RoleRepository } from '../../../db/repositories/roles.js'
import type { ImportRights } from '../write/import-rights.js'
import { checkGives, checkGivesType, checkKeepsPassword, isVisible, type Manager } from './policy.js'

/** What a caller may add by a file: what it may add one by one. */
export const createImportRights =
  (roles: Pick<RoleRepository, 'permissionsOf'>) =>
  (actor: Manager): ImportRights => ({
    isVisible: (tenantId) => isVisible(actor, tenantId),
    checkType: (userType) => checkGivesType(actor, userType),
    checkKeepsPassword: (forcePasswordChange) => checkKeepsPassword(actor, forcePasswordChange),
    checkRole: async ({ id }) => checkGives(actor, 'roles', await roles.permissionsOf([id])),
  })
