import type { Repositories } from '../../../db/index.js'
import type { Needs } from '../../../lib/needs.js'
import { userTarget } from '../../../lib/user-target.js'
import { invalidField } from '../../../lib/problem.js'
import { areSame } from '../../../lib/same-items.js'
import type { UserDetail } from '../../../schemas/managed-user.js'
import { readManaged, readToChange, type Change, type ManagedUser } from './change.js'
import type { LiftedRequirement, LiftedRequirements } from './lifted-requirements.js'
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

/** Whether roles no longer ask the user for a second factor. */
export const losesRequirement = (
  before: Pick<ManagedUser, 'grants'>,
  after: Pick<ManagedUser, 'grants'> | undefined,
): boolean => before.grants.secondFactorRequired && after?.grants.secondFactorRequired === false

/** Replaces the roles of a user inside a transaction, and records it. Resolves to the user after it. */
export const createReplaceRoles =
  ({ accounts, audit }: Needs<'accounts' | 'audit'>) =>
  async (
    inside: Repositories,
    actor: Manager,
    before: ManagedUser,
    keys: string[],
    field?: string,
  ): Promise<ManagedUser | undefined> => {
    const { user, grants } = before
    await accounts.writes.setRoles(inside, user.id, await readRoles(inside, actor, before, keys, field))
    const after = await readManaged(inside, user.id)
    const values = { before: { roleKeys: grants.roleKeys }, after: { roleKeys: after?.grants.roleKeys } }
    await audit.record(inside, actor, { action: 'user.roles', target: userTarget(user), ...values })
    return after
  }

/** Replaces the roles of a user, with immediate effect, also in live sessions. Throws `invalid_request`, which names `field`, and
 * `step_up_required` when a second factor is no longer required of the user. */
export const createSetRoles = (
  needs: Needs<'accounts' | 'audit'>,
  change: Change,
  liftedRequirements: LiftedRequirements,
  get: (actor: Manager, id: number) => Promise<UserDetail>,
) => {
  const replaceRoles = createReplaceRoles(needs)
  return async (
    actor: Manager,
    id: number,
    roleKeys: string[] | ((before: string[]) => string[]),
    field?: string,
  ): Promise<UserDetail> => {
    let lifted: LiftedRequirement | undefined
    await change(async (inside) => {
      const before = await readToChange(inside, actor, id)
      const keys = typeof roleKeys === 'function' ? roleKeys(before.grants.roleKeys) : roleKeys
      if (areSame(keys, before.grants.roleKeys)) return
      const after = await replaceRoles(inside, actor, before, keys, field)
      if (losesRequirement(before, after)) {
        await liftedRequirements.check(actor)
        lifted = { kind: 'user', name: before.user.username, tenantId: before.user.tenantId }
      }
    })
    await liftedRequirements.tell(actor, lifted)
    return get(actor, id)
  }
}
