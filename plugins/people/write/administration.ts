import { createAccounts, type AccountNeeds } from './account.js'
import { createEndedImports } from './ended-imports.js'
import { checkRole, checkTenantName } from './check-role.js'
import { checkFree } from './free-names.js'
import { createLookups } from './lookups.js'
import { createReadChange } from './user-changes.js'
import { createImport } from './import.js'
import { createAddFromPlatform } from './platform-account.js'
import { createUserWrites } from './user-writes.js'
import { createOperatorActions } from './operator-actions.js'
import type { Needs } from '../../../lib/needs.js'

/** Operations on tenants, users and roles for operators. All throw `invalid_request` for an invalid field. */
export const createAdministration = (needs: AccountNeeds & Needs<'audit' | 'db'>) => {
  const lookups = createLookups(needs.db)
  const accounts = createAccounts(needs, lookups)
  const writes = createUserWrites(needs.clock)
  const endedImports = createEndedImports(needs.db)
  return {
    /** Checks and writes new accounts; management adds who may do so. */
    accounts,
    writes,
    addFromPlatform: createAddFromPlatform(writes, needs.contacts),
    readChange: createReadChange(needs.contacts),
    findTenantNamed: lookups.findTenantNamed,
    findUser: lookups.findUser,
    findRole: lookups.findRole,
    checkFree,
    checkRole,
    checkTenantName,
    ...createOperatorActions(needs, lookups, writes),
    ...createImport(needs, lookups, endedImports),
    removeEndedImports: endedImports.removeEnded,
  }
}

export type Administration = ReturnType<typeof createAdministration>
