import type { Session, SessionOwner } from '../../db/repositories/sessions.js'
import { problem } from '../../lib/problem.js'
import type { createCheckPassword } from './check-password.js'

/**
 * What opens an account for good is done only by its owner, not by whoever holds a stolen token: the caller shows the
 * password, or has signed in a short while ago. Throws `fresh_sign_in_required`, `invalid_credentials`, `too_many_attempts`.
 */
export const createReauthenticate =
  (checkPassword: ReturnType<typeof createCheckPassword>, isFresh: (session: Session) => boolean) =>
  async (caller: SessionOwner, password: string | undefined, address: string): Promise<void> => {
    if (password !== undefined) await checkPassword(caller, password, address)
    else if (!isFresh(caller.session)) throw problem('fresh_sign_in_required')
  }
