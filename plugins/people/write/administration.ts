import { createAccounts, type AccountCollaborators } from './account.js'
import { createEndedImports } from './ended-imports.js'
import { checkRole, checkTenantName } from './check-role.js'
import { checkFree } from './free-names.js'
import { createLookups } from './lookups.js'
import { createReadChange } from './user-changes.js'
import { createImport } from './import.js'
import { createAddFromPlatform } from './platform-account.js'
import { createUserWrites } from './user-writes.js'
import { createOperatorActions, type Collaborators } from './operator-actions.js'

/** Operations on tenants, users and roles for operators. All throw `invalid_request` for an invalid field. */
export const createAdministration = (collaborators: Collaborators & AccountCollaborators) => {
  const lookups = createLookups(collaborators.db)
  const accounts = createAccounts(collaborators, lookups)
  const writes = createUserWrites(collaborators.clock)
  const endedImports = createEndedImports(collaborators.db)
  return {
    /** Checks and writes new accounts; management adds who may do so. */
    accounts,
    writes,
    addFromPlatform: createAddFromPlatform(writes, collaborators.contacts),
    readChange: createReadChange(collaborators.contacts),
    findTenantNamed: lookups.findTenantNamed,
    findUser: lookups.findUser,
    findRole: lookups.findRole,
    checkFree,
    checkRole,
    checkTenantName,
    ...createOperatorActions(collaborators, lookups, writes),
    ...createImport(collaborators, lookups, endedImports),
    removeEndedImports: endedImports.removeEnded,
  }
}

export type Administration = ReturnType<typeof createAdministration>
