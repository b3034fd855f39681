import { maxInvited, type UserBatchOutcome, type UserBatchRequest } from '../../../schemas/managed-user.js'
import { covers, type OwnPermission } from '../../../lib/permissions.js'
import { maxFaults, type Fault } from '../../../lib/violations.js'
import { invalidField, isProblem, problem, type Problem } from '../../../lib/problem.js'
import type { Invitations } from '../../identity/codes/invitations.js'
import { createLoopTime } from '../../../lib/loop-time.js'
import type { Change } from './change.js'
import type { Manager } from './policy.js'
import type { UserActions } from './user-actions.js'

const coversDelete = covers('system:user:delete' satisfies OwnPermission)

const rules = { not_found: 'unknown_id', own_account: 'own_account', permission_denied: 'outranked' } as const
const isAboutOne = (reason: string): reason is keyof typeof rules => reason in rules
/** Why one user cannot be changed; undefined for what is wrong with the whole request. */
const ruleOf = ({ code, details }: Problem): Fault['rule'] | undefined =>
  isAboutOne(code) ? rules[code] : details.faults?.find(({ field }) => field === 'id')?.rule

/** Does one action to many users, all or nothing, except that an invitation leaves out those who have a password. */
export const createBatch = (
  change: Change,
  actions: UserActions,
  invitations: Pick<Invitations, 'checkInvitations'>,
) => {
  // One transaction at a time holds the write lock of SQLite: what comes after the commit does not keep it waiting.
  const [inTransaction, afterCommit] = [createLoopTime(), createLoopTime()]

  /**
   * Throws `invalid_request` with a violation `ids.N` for each user that the actor may not change, at most `maxFaults`. Those who have a
   * password are named only if there is nobody else to invite.
   */
  return async (actor: Manager, { ids, action, roleKey }: UserBatchRequest): Promise<UserBatchOutcome> => {
    // The route asks for the permission to edit.
    if (action === 'delete' && actor.caller && !actor.caller.grants.permissions.some(coversDelete))
      throw problem('permission_denied')
    if (roleKey !== undefined && action !== 'addRole') throw invalidField('roleKey', 'additionalProperties')
    if (action === 'invite') {
      if (ids.length > maxInvited) throw invalidField('ids', 'maxItems', { limit: maxInvited })
      invitations.checkInvitations(ids.length)
    }
    // Collected inside, because the work of a transaction may run twice.
    const outcome = await change(async (inside) => {
      const afterwards: (() => Promise<void>)[] = []
      const withPassword: number[] = []
      const recentlyInvited: number[] = []
      const faults: Fault[] = []
      for (const [index, id] of ids.entries()) {
        await inTransaction.next()
        try {
          const after = await actions[action](inside, actor, id, roleKey)
          if (after) afterwards.push(after)
          else if (action === 'invite') recentlyInvited.push(id)
        } catch (error) {
          const rule = isProblem(error) ? ruleOf(error) : undefined
          if (rule === undefined) throw error
          if (rule === 'has_password') withPassword.push(id)
          else faults.push({ field: `ids.${index}`, rule })
          if (faults.length === maxFaults) break
        }
      }
      if (withPassword.length === ids.length) {
        const all = ids.map((_, index) => ({ field: `ids.${index}`, rule: 'has_password' as const }))
        throw problem('invalid_request', { faults: all })
      }
      if (faults.length > 0) throw problem('invalid_request', { faults })
      return { afterwards, withPassword, recentlyInvited }
    })
    for (const after of outcome.afterwards) {
      await afterCommit.next()
      await after()
    }
    // An invitation is sent after the commit; nobody else is sent one.
    const { withPassword, recentlyInvited } = outcome
    return { invited: action === 'invite' ? outcome.afterwards.length : 0, withPassword, recentlyInvited }
  }
}
