import type { Repositories } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import type { Settings } from '../../../schemas/settings.js'
import type { AdmittedAccount } from '../../sessions/sessions/start.js'

const day = 24 * 3600 * 1000

/** What an account is asked for. `deadline` is in epoch milliseconds: until then it may sign in without a factor. */
export type Requirement = { required: false } | { required: true; deadline: number | undefined }

/** Who needs a second factor: the setting, the tenant and the roles can only add to it, and an exempt account needs none. */
export const createFactorPolicy = ({ policy, graceDays }: Settings['secondFactor'], clock: Clock) => {
  const isAsked = ({ tenant, grants }: Pick<AdmittedAccount, 'tenant' | 'grants'>): boolean =>
    policy === 'required' || (policy === 'optional' && (tenant.secondFactorRequired || grants.secondFactorRequired))

  const requirementOf = async (
    account: AdmittedAccount,
    { factorStates }: Pick<Repositories, 'factorStates'>,
  ): Promise<Requirement> => {
    if (!isAsked(account)) return { required: false }
    const { exempt, setupDeadline } = await factorStates.find(account.user.id)
    return exempt ? { required: false } : { required: true, deadline: setupDeadline }
  }

  return {
    policy,
    requirementOf,

    /**
     * Whether an account without a factor must set one up before it gets a session. The first sign-in at which it is missing stamps
     * the deadline, which nothing extends.
     */
    async mustSetUp(account: AdmittedAccount, repositories: Pick<Repositories, 'factorStates'>): Promise<boolean> {
      if (account.user.hasSecondFactor) return false
      const requirement = await requirementOf(account, repositories)
      if (!requirement.required) return false
      if (requirement.deadline !== undefined) return clock.now() >= requirement.deadline
      // Nothing is written for a sign-in that starts no session.
      if (graceDays === 0) return true
      await repositories.factorStates.keepDeadline(account.user.id, clock.now() + graceDays * day)
      return false
    },
  }
}

export type FactorPolicies = ReturnType<typeof createFactorPolicy>
