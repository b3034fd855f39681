import type { RoleRepository } from '../../../db/repositories/roles.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { Actor } from '../../../lib/actor.js'
import type { ImportLimits } from '../write/import-limits.js'

type Importer = Actor<SessionOwner>

/** The rules of management about who may make which accounts. */
interface Policy {
  isVisible: (actor: Importer, tenantId: number | null) => boolean
  checkGivesType: (actor: Importer, userType: number | undefined) => void
  checkGives: (actor: Importer, field: string, permissions: string[]) => void
  checkKeepsPassword: (actor: Importer, forcePasswordChange: boolean | undefined) => void
}

/** What a caller may add by a file: what it may add one by one. */
export const createImportLimits =
  (
    { isVisible, checkGivesType, checkGives, checkKeepsPassword }: Policy,
    roles: Pick<RoleRepository, 'permissionsOf'>,
  ) =>
  (actor: Importer): ImportLimits => ({
    isVisible: (tenantId) => isVisible(actor, tenantId),
    checkType: (userType) => checkGivesType(actor, userType),
    checkKeepsPassword: (forcePasswordChange) => checkKeepsPassword(actor, forcePasswordChange),
    checkRole: async ({ id }) => checkGives(actor, 'roles', await roles.permissionsOf([id])),
  })
