import type { Database, Repositories } from '../../../db/index.js'
import type { User } from '../../../db/repositories/users.js'
import { userTarget } from '../../../lib/user-target.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import type { Factor, OwnFactors, UserFactors } from '../../../schemas/factors.js'
import type { FactorPolicies } from '../../identity/second-factor/policy.js'
import type { Audit } from '../../record/audit/audit.js'
import type { Notices } from '../../record/notices/notices.js'
import type { Attempts } from '../../throttle/attempts/attempts.js'
import type { AdmittedAccount } from '../../sessions/sessions/start.js'
import type { createProveFactor } from '../write/prove-password-or-factor.js'
import type { UserWrites } from '../write/user-writes.js'
import { readManaged, readToChange, type Change } from './change.js'
import { isVisible, type Manager } from './policy.js'

export interface FactorCollaborators {
  db: Database
  attempts: Pick<Attempts, 'factors'>
  clock: Clock
  change: Change
  audit: Pick<Audit, 'record'>
  notices: Pick<Notices, 'tell'>
  accounts: { writes: Pick<UserWrites, 'noteFactors'>; proveFactor: ReturnType<typeof createProveFactor> }
  factorPolicy: Pick<FactorPolicies, 'requirementOf'>
  ownFactors: {
    describe: (account: AdmittedAccount) => Promise<OwnFactors>
    listFactors: (source: Repositories, user: Pick<User, 'id'>) => Promise<Factor[]>
  }
}

type Kind = Factor['kind']
const allKinds: Kind[] = ['totp', 'passkey']

/** What administrators see of the second factors of users, and how they help somebody who has lost them. */
export const createManagedFactors = (collaborators: FactorCollaborators) => {
  const { db, attempts, clock, change, audit, notices, accounts, factorPolicy, ownFactors } = collaborators

  /** An account that must have a factor and had one gets no days without it. */
  const giveNoGrace = async (inside: Repositories, id: number): Promise<void> => {
    const account = await readManaged(inside, id)
    if (!account || account.user.hasSecondFactor) return
    const requirement = await factorPolicy.requirementOf(account, inside)
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
