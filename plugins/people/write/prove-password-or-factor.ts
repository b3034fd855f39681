import type { Session, SessionOwner } from '../../../db/repositories/sessions.js'
import { problem } from '../../../lib/problem.js'
import type { StepUp } from '../../identity/second-factor/step-up.js'
import type { createProvePassword } from './prove-password.js'

type SecondFactor = Pick<StepUp, 'isProved' | 'stepUp'>

/** An account with a second factor must have proved one in this session within ten minutes. Throws `step_up_required`. */
export const createProveFactor =
  (secondFactor: SecondFactor) =>
  async ({ user, session }: SessionOwner): Promise<void> => {
    if (user.hasSecondFactor && !secondFactor.isProved(session)) await secondFactor.stepUp(user)
  }

interface Collaborators {
  provePassword: ReturnType<typeof createProvePassword>
  proveFactor: ReturnType<typeof createProveFactor>
  isFresh: (session: Session) => boolean
}

/**
 * Protects operations that would give a thief of a token permanent access. An account with a second factor must have proved one in this
 * session within ten minutes, and no password is looked at; any other must send the password or have signed in recently. Throws
 * `step_up_required`, `fresh_sign_in_required`, `invalid_credentials`, `too_many_attempts`.
 */
export const createProvePasswordOrFactor =
  ({ provePassword, proveFactor, isFresh }: Collaborators) =>
  async (caller: SessionOwner, password: string | undefined, address: string): Promise<void> => {
    const { user, session } = caller
    if (user.hasSecondFactor) await proveFactor(caller)
    else if (password !== undefined) await provePassword(caller, password, address)
    else if (!isFresh(session)) throw problem('fresh_sign_in_required')
  }
