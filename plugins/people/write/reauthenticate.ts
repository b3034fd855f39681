import type { Session, SessionOwner } from '../../../db/repositories/sessions.js'
import { problem } from '../../../lib/problem.js'
import type { StepUp } from '../../identity/second-factor/step-up.js'
import type { createCheckPassword } from './check-password.js'

interface Collaborators {
  checkPassword: ReturnType<typeof createCheckPassword>
  isFresh: (session: Session) => boolean
  secondFactor: Pick<StepUp, 'isProved' | 'stepUp'>
}

/**
 * Protects operations that would give a thief of a token permanent access. An account with a second factor must have proved one in this
 * session within ten minutes; any other must send the password or have signed in recently. Throws `step_up_required`,
 * `fresh_sign_in_required`, `invalid_credentials`, `too_many_attempts`.
 */
export const createReauthenticate =
  ({ checkPassword, isFresh, secondFactor }: Collaborators) =>
  async (caller: SessionOwner, password: string | undefined, address: string): Promise<void> => {
    const { user, session } = caller
    if (user.hasSecondFactor) {
      if (!secondFactor.isProved(session)) await secondFactor.stepUp(user)
    } else if (password !== undefined) await checkPassword(caller, password, address)
    else if (!isFresh(session)) throw problem('fresh_sign_in_required')
  }
