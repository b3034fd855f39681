import { createAccounts, type AccountCollaborators } from './account.js'
import { createEndedImports } from './ended-imports.js'
import { createFinders } from './finders.js'
import { createImport } from './import.js'
import { createTenantsAndRoles } from './tenants-and-roles.js'
import { createUsers, type Collaborators } from './users.js'

/** What operators do with tenants, users and roles. Everything throws `invalid_request` about the field that is wrong. */
export const createAdministration = (collaborators: Collaborators & AccountCollaborators) => {
  const finders = createFinders(collaborators.db)
  const accounts = createAccounts(collaborators, finders)
  const endedImports = createEndedImports(collaborators.db)
  return {
    findTenantNamed: finders.findTenantNamed,
    findUser: finders.findUser,
    ...createTenantsAndRoles(collaborators.db, collaborators.clock, finders),
    ...createUsers(collaborators, finders, accounts),
    ...createImport(collaborators, finders, endedImports),
    removeEndedImports: endedImports.removeEnded,
  }
}

export type Administration = ReturnType<typeof createAdministration>
