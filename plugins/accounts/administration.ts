import { createFinders } from './finders.js'
import { createTenantsAndRoles } from './tenants-and-roles.js'
import { createUsers, type Collaborators } from './users.js'

/** What operators do with tenants, users and roles. Everything throws `invalid_request` about the field that is wrong. */
export const createAdministration = (collaborators: Collaborators) => {
  const finders = createFinders(collaborators.db)
  return {
    findTenantByName: finders.findTenantByName,
    ...createTenantsAndRoles(collaborators.db, collaborators.clock, finders),
    ...createUsers(collaborators, finders),
  }
}

export type Administration = ReturnType<typeof createAdministration>
