import type { Session, SessionOwner } from '../../../db/repositories/sessions.js'
import { userStatuses } from '../../../schemas/user.js'
import { problem } from '../../../lib/problem.js'
import type { Claims } from '../tokens/access-tokens.js'

/**
 * How long the token of a generation stays valid after its successor was first used, so that parallel tabs and lost
 * responses do not sign the user out. Milliseconds.
 */
export const overlap = 10_000

/**
 * How long the token of a generation stays valid while its successor is unused, so that a client can repeat a refresh whose
 * response was lost. It is limited because of token theft: a thief who refreshes first and never uses the newest token
 * would otherwise share the session with the owner unnoticed. Milliseconds.
 */
const unusedOverlap = 300_000

/**
 * - `current`: the latest token of the session.
 * - `previous`: an earlier token that is still valid for a short time.
 * - `reused`: an earlier token that is no longer valid; using it shows theft (RFC 9700 4.14.2).
 */
export type TokenStatus = 'current' | 'previous' | 'reused'

export interface ValidatedSession {
  owner: SessionOwner
  tokenStatus: TokenStatus
}

const tokenStatusOf = (session: Session, generation: number, now: number): TokenStatus => {
  const inOverlap = (firstUse: number | null) => firstUse !== null && now <= firstUse + overlap
  const age = session.generation - generation
  if (age === 0) return 'current'
  if (age < 0) throw problem('token_invalid')
  if (age === 1 && session.generationUsedTime === null) {
    if (now <= session.generationTime + unusedOverlap) return 'previous'
    // This need not be theft: the response with the successor may have been lost.
    throw problem('token_expired')
  }
  if (age === 1 && inOverlap(session.generationUsedTime)) return 'previous'
  if (age === 2 && inOverlap(session.previousUsedTime)) return 'previous'
  return 'reused'
}

/**
 * Checks that a session is live at the time `now` (epoch milliseconds) and that what names it belongs to it.
 * Throws `token_invalid`, `session_replaced`, `session_revoked`, `session_expired`.
 */
export const checkSession = (
  found: SessionOwner | undefined,
  now: number,
  belongs: (owner: SessionOwner) => boolean,
): SessionOwner => {
  // Ended sessions are stored until they expire, so a missing session has expired.
  if (!found) throw problem('session_expired')
  const { session, user, tenant } = found
  if (!belongs(found)) throw problem('token_invalid')
  if (session.endReason === 'replaced') throw problem('session_replaced')
  if (session.endReason !== null) throw problem('session_revoked')
  if (now >= session.expiry || now >= session.idleExpiry) throw problem('session_expired')
  // Disabling a user or tenant ends its sessions; this refuses one that was started at the same moment.
  if (user.userStatus !== userStatuses.normal || !tenant.enabled) throw problem('session_revoked')
  return found
}

/**
 * Checks the claims of a verified token against its session at the time `now` (epoch milliseconds).
 * Throws `token_invalid`, `token_expired`, `session_replaced`, `session_revoked`, `session_expired`.
 */
export const validateSession = (found: SessionOwner | undefined, claims: Claims, now: number): ValidatedSession => {
  const owner = checkSession(
    found,
    now,
    ({ session, user }) =>
      claims.sub === String(user.id) && claims.tid === session.tenantId && claims.client_id === session.userClient,
  )
  return { owner, tokenStatus: tokenStatusOf(owner.session, claims.gen, now) }
}
