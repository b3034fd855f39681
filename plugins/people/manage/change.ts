import type { Database, Repositories } from '../../../db/index.js'
import type { Locks } from '../../../db/locks.js'
import type { Grants } from '../../../db/repositories/user-roles.js'
import type { User, UserTenant } from '../../../db/repositories/users.js'
import { problem } from '../../../lib/problem.js'
import { levels, type ReadAdministration } from './administrators.js'
import { checkManages, type Manager } from './policy.js'

export interface ManagedUser {
  user: User
  tenant: UserTenant
  grants: Grants
  /** Whether no policy asks it for a second factor. */
  factorExempt: boolean
}

type ManagedSource = Pick<Repositories, 'users' | 'roles' | 'factorStates'>

/** Reads an account with what it may do. */
export const readManaged = async (
  { users, roles, factorStates }: ManagedSource,
  id: number,
): Promise<ManagedUser | undefined> => {
  const [found, { exempt: factorExempt }, grants] = await Promise.all([
    users.findWithTenant(id),
    factorStates.find(id),
    roles.grantsOf(id),
  ])
  return found && { ...found, grants, factorExempt }
}

/** Reads the account and throws when the actor may not change it. */
export const readToChange = async (inside: ManagedSource, actor: Manager, id: number): Promise<ManagedUser> => {
  const managed = await readManaged(inside, id)
  if (!managed) throw problem('not_found')
  const { tenantId, userType } = managed.user
  checkManages(actor, { id, tenantId, userType, permissions: managed.grants.permissions })
  return managed
}

/** No administrator can sign in after a change: now it matters whether one could before. */
class NoneLeft extends Error {}

/**
 * Runs a change in a transaction, which is rolled back with `last_administrator` when it would leave no administrator who
 * can sign in. An installation that has none already may be changed: there `work` runs twice.
 */
export const createChange = (db: Pick<Database, 'transaction'>, readAdministration: ReadAdministration) => {
  const run = <T>(work: (inside: Repositories) => Promise<T>, locks: Locks, readsBefore: boolean): Promise<T> =>
    db.transaction(async (inside) => {
      const before = readsBefore ? await readAdministration(inside) : levels.canSignIn
      const result = await work(inside)
      if ((await readAdministration(inside)) < before)
        throw readsBefore ? problem('last_administrator') : new NoneLeft()
      return result
    }, locks)

  return async <T>(work: (inside: Repositories) => Promise<T>, locks: Locks = { administration: true }): Promise<T> => {
    try {
      return await run(work, locks, false)
    } catch (error) {
      if (!(error instanceof NoneLeft)) throw error
      return run(work, locks, true)
    }
  }
}

export type Change = ReturnType<typeof createChange>
