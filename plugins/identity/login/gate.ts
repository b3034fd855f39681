import { problem } from '../../../lib/problem.js'
import type { LoginResult } from '../../../schemas/login.js'
import type { AuthenticatedUser, StartDecision, UseProof } from '../../sessions/sessions/start.js'
import type { SetupCodes, SetupContact } from '../codes/setup-codes.js'
import type { Factors, FactorKind, ProvedFactor } from '../second-factor/factors.js'
import type { FactorPolicies } from '../second-factor/policy.js'
import type { FactorTickets, FirstStep, TicketPurpose } from '../second-factor/tickets.js'
import type { TrustedDevices } from '../second-factor/trusted-devices.js'
import type { Clock } from '../../../lib/clock.js'

interface Collaborators {
  factors: Pick<Factors, 'kindsOf'>
  tickets: Pick<FactorTickets, 'issue' | 'lifetime'>
  policy: Pick<FactorPolicies, 'mustSetUp'>
  trustedDevices: Pick<TrustedDevices, 'isTrusted' | 'days'>
  clock: Clock
  setupCodes: Pick<SetupCodes, 'contactFor'>
  /** What a person can set up with a ticket. */
  enrolment: FactorKind[]
}

/** What a sign-in has proved so far. */
export interface Proved {
  user: AuthenticatedUser
  step: FirstStep
  /** Whether the first method counts as two factors by itself. */
  isTwoFactors: boolean
  /** The second factor, at the second step. */
  factor?: Pick<ProvedFactor, 'amr'> | undefined
  /** Id of the device in the cookie of the request. */
  deviceId: string | undefined
  use?: UseProof | undefined
}

/** Thrown inside the transaction of a session, which is rolled back. */
class SetupRequired extends Error {}

/**
 * The one place that decides what follows when somebody has proved to be a user, by whatever method: a session, the question for a second
 * factor (403 `second_factor_required`), or the enrolment of one (403 `second_factor_setup_required`).
 */
export const createGate = ({
  factors,
  tickets,
  policy,
  trustedDevices,
  clock,
  setupCodes,
  enrolment,
}: Collaborators) => {
  const refuse = async (
    reason: 'second_factor_required' | 'second_factor_setup_required',
    purpose: TicketPurpose,
    { user, step }: Proved,
    next: { methods: FactorKind[]; trustDays?: number; contact?: SetupContact },
  ): Promise<never> => {
    const ticket = await tickets.issue(user, step, purpose)
    throw problem(reason, { data: { ticket, expiresIn: tickets.lifetime, ...next } })
  }

  const decide = async (proved: Proved): Promise<StartDecision> => {
    const { user, step, isTwoFactors, factor, deviceId, use } = proved
    const isProvedTwice = isTwoFactors || factor !== undefined
    if (user.hasSecondFactor && !isProvedTwice && !(await trustedDevices.isTrusted(user.id, deviceId))) {
      const methods = await factors.kindsOf(user)
      const { days } = trustedDevices
      await refuse('second_factor_required', 'finish', proved, { methods, ...(days > 0 && { trustDays: days }) })
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
      async admit(account, repositories) {
        if (!isProvedTwice && (await policy.mustSetUp(account, repositories))) throw new SetupRequired()
      },
    }
  }

  /** Runs `start` with the decision. Throws the two reasons above, each with a ticket in `data`. */
  return async (proved: Proved, start: (decision: StartDecision) => Promise<LoginResult>): Promise<LoginResult> => {
    const decision = await decide(proved)
    try {
      return await start(decision)
    } catch (error) {
      if (!(error instanceof SetupRequired)) throw error
      const contact = await setupCodes.contactFor(proved)
      return refuse('second_factor_setup_required', 'setup', proved, {
        methods: enrolment,
        ...(contact && { contact }),
      })
    }
  }
}

export type Gate = ReturnType<typeof createGate>
