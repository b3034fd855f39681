import type { Repositories } from '../../../db/index.js'
import { invalidField } from '../../../lib/problem.js'
import type { ManagedUser } from './change.js'
import { checkGives, type Manager } from './policy.js'

/**
 * The ids of the roles that a user is to have. Throws `invalid_request` for an unknown key, and for a role that the user
 * does not have yet and that is more than the actor may give. Both name `field`.
 */
export const readRoles = async (
  { roles }: Pick<Repositories, 'roles'>,
  actor: Manager,
  { user, grants }: ManagedUser,
  keys: string[],
  field = 'roleKeys',
): Promise<number[]> => {
  const found = await roles.findMany(user.tenantId, keys)
  const known = new Set(found.map(({ key }) => key))
  const unknown = keys.filter((key) => !known.has(key))
  if (unknown.length > 0) throw invalidField(field, 'unknown_role_keys', { keys: unknown })
  const added = found.filter(({ key }) => !grants.roleKeys.includes(key)).map(({ id }) => id)
  checkGives(actor, field, await roles.permissionsOf(added))
  return found.map(({ id }) => id)
}
