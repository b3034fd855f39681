import type { Session } from '../../../db/repositories/sessions.js'
import type { User } from '../../../db/repositories/users.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'
import type { Factors } from './factors.js'

/** How long a proved factor lasts for changes of credentials. Seconds. */
const maxAge = 600

/** Whether a session has proved a second factor lately, and the refusal of one that has not (RFC 9470). */
export const createStepUpRefusal = ({ kindsOf }: Pick<Factors, 'kindsOf'>, clock: Clock) => ({
  isProved: ({ factorTime }: Pick<Session, 'factorTime'>): boolean =>
    factorTime !== null && clock.now() <= factorTime + maxAge * 1000,

  /** Throws `step_up_required` with the factors with which the user can go on. */
  async stepUp(user: Pick<User, 'id'>): Promise<never> {
    throw problem('step_up_required', { data: { acr: 'aal2', maxAge, methods: await kindsOf(user) } })
  },
})

export type StepUp = ReturnType<typeof createStepUpRefusal>
