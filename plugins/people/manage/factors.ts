import type { Repositories } from '../../../db/index.js'
import type { Needs } from '../../../lib/needs.js'
import { userTarget } from '../../../lib/user-target.js'
import { problem } from '../../../lib/problem.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import type { Factor, UserFactors } from '../../../schemas/factors.js'
import { readManaged, readToChange, type Change } from './change.js'
import { isVisible, type Manager } from './policy.js'

type Kind = Factor['kind']
const allKinds: Kind[] = ['totp', 'passkey']

/** What administrators see of the second factors of users, and how they help somebody who has lost them. */
export const createManagedFactors = (
  needs: Needs<'accounts' | 'attempts' | 'audit' | 'clock' | 'db' | 'notices' | 'ownFactors' | 'secondFactor'>,
  change: Change,
) => {
  const { accounts, attempts, audit, clock, db, notices, ownFactors, secondFactor } = needs

  /** An account that must have a factor and had one gets no days without it. */
  const giveNoGrace = async (inside: Repositories, id: number): Promise<void> => {
    const account = await readManaged(inside, id)
    if (!account || account.user.hasSecondFactor) return
    const requirement = await secondFactor.policy.requirementOf(account, inside)
    if (requirement.required) await inside.factorStates.keepDeadline(id, clock.now())
  }

  return {
    /** Addresses of devices are for those who see contacts. Throws `not_found`. */
    async get(actor: Manager, id: number): Promise<UserFactors> {
      const account = await readManaged(db, id)
      if (!account || !isVisible(actor, account.user.tenantId)) throw problem('not_found')
      const { policy, deadline, factors, recoveryCodesLeft, trustedDevices } = await ownFactors.describe(account)
      const isMasked = !seesContacts(actor.caller)
      const devices = trustedDevices.map(({ id, userAgent, address, createTime, lastUsedTime, expiry }) => ({
        ...{ id, userAgent, createTime, lastUsedTime, expiry },
        ...(isMasked ? {} : { address }),
      }))
      return { policy, exempt: account.factorExempt, deadline, factors, recoveryCodesLeft, trustedDevices: devices }
    },

    /**
     * Removes the factors of a user who has lost them, ends all sessions of the user, and voids recovery codes and trusted devices.
     * A caller who has a factor must have proved it within ten minutes. A repetition changes nothing. Throws `step_up_required`,
     * `not_found`, `own_account`, `permission_denied` and `last_administrator`. Resolves to the removed factors.
     */
    async reset(actor: Manager, id: number, kinds: Kind[] = allKinds): Promise<Factor[]> {
      const { caller } = actor
      if (caller) await accounts.proveFactor(caller)
      const { user, removed } = await change(
        async (inside) => {
          const managed = await readToChange(inside, actor, id)
          const removed = (await ownFactors.listFactors(inside, managed.user)).filter(({ kind }) =>
            kinds.includes(kind),
          )
          if (removed.length === 0) return { user: managed.user, removed }
          if (kinds.includes('totp')) await inside.totpSecrets.removeOfUser(id)
          if (kinds.includes('passkey')) await inside.passkeys.removeOfUser(id)
          await inside.recoveryCodes.removeOfUser(id)
          await accounts.writes.noteFactors(inside, id)
          await giveNoGrace(inside, id)
          const before = { factors: removed.map(({ kind, name }) => `${kind}: ${name}`) }
          await audit.record(inside, actor, { action: 'user.factors', target: userTarget(managed.user), before })
          return { user: managed.user, removed }
        },
        { administration: true, user: id },
      )
      if (removed.length > 0) {
        // They count guesses of what is no longer there.
        await attempts.factors.unlock(id)
        notices.tell(user, 'factors_reset', actor)
      }
      return removed
    },
  }
}
