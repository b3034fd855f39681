import { problem } from '../../lib/problem.js'
import type { StartedSession } from '../sessions/sessions/start.js'
import type { SetupContact } from '../identity/codes/setup-codes.js'
import type { FactorKind } from '../identity/second-factor/factors.js'

/** What has to follow before a session starts, with a ticket for it. */
export interface NextStep {
  /** The reason of the 403 that says so. */
  outcome: 'second_factor_required' | 'second_factor_setup_required'
  data: {
    ticket: string
    /** Seconds. */
    expiresIn: number
    methods: FactorKind[]
    /** For how many days this browser may be trusted. */
    trustDays?: number
    /** The contact to which a code goes before a factor is set up. */
    contact?: SetupContact
  }
}

/** How a sign-in goes on that was refused by nothing. */
export type Outcome = ({ outcome: 'session' } & StartedSession) | NextStep

/** The session of an outcome. Throws the 403 of one that asks for a further step. */
export const sessionOf = (outcome: Outcome): StartedSession => {
  if (outcome.outcome !== 'session') throw problem(outcome.outcome, { data: outcome.data })
  return outcome
}
