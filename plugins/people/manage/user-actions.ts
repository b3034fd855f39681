import type { Repositories } from '../../../db/index.js'
import { signInNames } from '../../../db/sign-in-names.js'
import type { User } from '../../../db/repositories/users.js'
import type { BatchAction } from '../../../schemas/managed-user.js'
import { userStatuses } from '../../../schemas/user.js'
import type { Needs } from '../../../lib/needs.js'
import { invalidField } from '../../../lib/problem.js'
import { userTarget } from '../../../lib/user-target.js'
import type { LiftBan } from './bans.js'
import { readManaged, readToChange } from './change.js'
import { inviterOf, visibleTenant, type Manager } from './policy.js'
import { createReplaceRoles } from './user-roles.js'
import { valuesOf } from './user-values.js'
import { whyNotInvitable } from './why-not-invitable.js'

/** Whoever presses twice sends one invitation. Milliseconds. */
const betweenInvitations = 60_000

/** Changes one account inside a transaction. Resolves to what is to be done after the commit. */
type UserAction = (
  inside: Repositories,
  actor: Manager,
  id: number,
  roleKey?: string,
) => Promise<(() => Promise<void>) | undefined>

/**
 * What can be done to one user and to many. Repeating an action changes nothing and is not recorded again. All throw
 * `not_found`, `own_account` and `permission_denied`.
 */
export const createUserActions = (
  needs: Needs<'accounts' | 'attempts' | 'audit' | 'clock' | 'oneTimeCodes'>,
  liftBan: LiftBan,
): Record<BatchAction, UserAction> => {
  const { accounts, attempts, audit, clock, oneTimeCodes: invitations } = needs
  const { writes } = accounts
  const replaceRoles = createReplaceRoles(needs)
  const setStatus = async (inside: Repositories, actor: Manager, user: User, userStatus: number) => {
    const action = userStatus === userStatuses.disabled ? 'user.disable' : 'user.enable'
    await writes.change(inside, user, { userStatus })
    const values = { before: { userStatus: user.userStatus }, after: { userStatus } }
    await audit.record(inside, actor, { action, target: userTarget(user), ...values })
  }

  const wasDeleted = async ({ auditTrail }: Repositories, actor: Manager, id: number): Promise<boolean> => {
    const target = { targetType: 'user', targetId: String(id), tenantId: visibleTenant(actor) }
    return auditTrail.has({ action: 'user.delete', ...target })
  }

  const hasFailed = async (user: User): Promise<boolean> => {
    for (const name of signInNames(user)) if (await attempts.hasFailed(user.tenantId, name)) return true
    return attempts.factors.hasFailed(user.id)
  }

  return {
    async delete(inside, actor, id) {
      if (!(await readManaged(inside, id)) && (await wasDeleted(inside, actor, id))) return undefined
      const managed = await readToChange(inside, actor, id)
      await writes.remove(inside, id)
      await audit.record(inside, actor, {
        action: 'user.delete',
        target: userTarget(managed.user),
        before: valuesOf(managed),
      })
      return undefined
    },

    async disable(inside, actor, id) {
      const { user } = await readToChange(inside, actor, id)
      if (user.userStatus !== userStatuses.disabled) await setStatus(inside, actor, user, userStatuses.disabled)
      return undefined
    },

    async enable(inside, actor, id) {
      const { user } = await readToChange(inside, actor, id)
      if (user.userStatus === userStatuses.disabled) await setStatus(inside, actor, user, userStatuses.normal)
      return undefined
    },

    /**
     * Ends the lockouts after failed sign-ins and wrong codes, the status `locked` and a ban. A disabled user stays disabled. Without a failure to
     * forget, or a ban, nothing is recorded.
     */
    async unlock(inside, actor, id) {
      const { user } = await readToChange(inside, actor, id)
      const isLocked = user.userStatus === userStatuses.locked
      if (isLocked) await writes.change(inside, user, { userStatus: userStatuses.normal })
      if (isLocked || (await hasFailed(user)))
        await audit.record(inside, actor, { action: 'user.unlock', target: userTarget(user) })
      await liftBan(inside, actor, user)
      return async () => {
        for (const name of signInNames(user)) await attempts.unlock(user.tenantId, name)
        await attempts.factors.unlock(user.id)
      }
    },

    /** Gives a user one more role. Throws `invalid_request` for `roleKey`. */
    async addRole(inside, actor, id, roleKey) {
      if (roleKey === undefined) throw invalidField('roleKey', 'required')
      const managed = await readToChange(inside, actor, id)
      const { roleKeys } = managed.grants
      if (!roleKeys.includes(roleKey)) await replaceRoles(inside, actor, managed, [...roleKeys, roleKey], 'roleKey')
      return undefined
    },

    /**
     * Sends a user without a password an invitation, unless one was sent within the last minute. Throws `invalid_request` for `id` where
     * nobody could accept one.
     */
    async invite(inside, actor, id) {
      const { user } = await readToChange(inside, actor, id)
      const whyNot = await whyNotInvitable(user, invitations.isReached)
      if (whyNot) throw invalidField('id', whyNot)
      if (user.invitedTime !== null && clock.now() < user.invitedTime + betweenInvitations) return undefined
      await writes.invite(inside, id)
      await audit.record(inside, actor, { action: 'user.invite', target: userTarget(user) })
      return async () => {
        // Who mistyped the code of the last invitation too often need not wait with the new one.
        const again = user.invitedTime === null ? [] : signInNames(user)
        for (const name of again) await attempts.unlock(user.tenantId, name)
        await invitations.invite(user, inviterOf(actor))
      }
    },
  }
}

export type UserActions = ReturnType<typeof createUserActions>
