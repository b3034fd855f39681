import type { Session, SessionOwner } from '../../../db/repositories/sessions.js'
import { problem } from '../../../lib/problem.js'
import type { createCheckPassword } from './check-password.js'

/**
 * Protects operations that would give a thief of a token permanent access: the caller must send the password or have signed
 * in recently. Throws `fresh_sign_in_required`, `invalid_credentials`, `too_many_attempts`.
 */
export const createReauthenticate =
  (checkPassword: ReturnType<typeof createCheckPassword>, isFresh: (session: Session) => boolean) =>
  async (caller: SessionOwner, password: string | undefined, address: string): Promise<void> => {
    if (password !== undefined) await checkPassword(caller, password, address)
    else if (!isFresh(caller.session)) throw problem('fresh_sign_in_required')
  }
