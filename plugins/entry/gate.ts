import type { Needs } from '../../lib/needs.js'
import { accountOf } from '../../lib/account-of.js'
import type { StartDecision } from '../sessions/sessions/start.js'
import type { ClientContext } from '../identity/devices/client.js'
import type { FactorKind } from '../identity/second-factor/factors.js'
import type { NextStep } from './outcome.js'
import type { Proved } from './proved.js'

/** The one place that decides what follows when somebody has proved to be a user, by whatever method. */
export const createGate = ({ clock, oneTimeCodes, secondFactor }: Needs<'clock' | 'oneTimeCodes' | 'secondFactor'>) => {
  const { passkeys, policy, tickets, trustedDevices } = secondFactor
  /** What a person can set up with a ticket. */
  const enrolment: FactorKind[] = passkeys.rpId === undefined ? ['totp'] : ['totp', 'passkey']
  return {
    /** A session, or the question for a second factor. */
    async decide(proved: Proved, { devices }: Pick<ClientContext, 'devices'>): Promise<StartDecision | NextStep> {
      const { user, step, isTwoFactors, factor, use } = proved
      const isProvedTwice = isTwoFactors || factor !== undefined
      const isAsked = user.hasSecondFactor && !isProvedTwice
      if (isAsked && !(await trustedDevices.isTrusted(user.id, devices.idFor(accountOf(user))))) {
        const { days: trustDays } = trustedDevices
        const { kinds: methods, state } = await secondFactor.held(user)
        const ticket = await tickets.issue(user, step, 'finish', state)
        const data = { ticket, expiresIn: tickets.lifetime, methods, ...(trustDays > 0 && { trustDays }) }
        return { outcome: 'second_factor_required', data }
      }
      return {
        outcome: 'start',
        user,
        use,
        proof: {
          acr: isProvedTwice ? 'aal2' : 'aal1',
          amr: [...new Set([...step.amr, ...(factor?.amr ?? (isTwoFactors ? ['mfa'] : []))])],
          factorTime: isProvedTwice ? clock.now() : null,
        },
        admits: async (account, repositories) => isProvedTwice || !(await policy.mustSetUp(account, repositories)),
      }
    },

    /** The enrolment of a first factor, for whom `admits` has let no session start. */
    async setUp({ user, step }: Proved): Promise<NextStep> {
      const contact = await oneTimeCodes.setup.contactFor({ user, step })
      const { state } = await secondFactor.held(user)
      const ticket = await tickets.issue(user, step, 'setup', state)
      const data = { ticket, expiresIn: tickets.lifetime, methods: enrolment, ...(contact && { contact }) }
      return { outcome: 'second_factor_setup_required', data }
    },
  }
}

export type Gate = ReturnType<typeof createGate>
