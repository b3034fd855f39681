import { createAccounts } from './account.js'
import { createFinders } from './finders.js'
import { createImport } from './import.js'
import { createTenantsAndRoles } from './tenants-and-roles.js'
import { createUsers, type Collaborators } from './users.js'

/** What operators do with tenants, users and roles. Everything throws `invalid_request` about the field that is wrong. */
export const createAdministration = (collaborators: Collaborators & { directory: string }) => {
  const finders = createFinders(collaborators.db)
  const accounts = createAccounts(collaborators, finders)
  return {
    findTenantNamed: finders.findTenantNamed,
    findUser: finders.findUser,
    ...createTenantsAndRoles(collaborators.db, collaborators.clock, finders),
    ...createUsers(collaborators, finders, accounts),
    ...createImport(collaborators, finders),
  }
}

export type Administration = ReturnType<typeof createAdministration>
