import type { Session, SessionOwner } from '../../db/repositories/sessions.js'
import { userStatuses } from '../../schemas/user.js'
import { problem } from '../../lib/problem.js'
import type { Claims } from '../tokens/access-tokens.js'

/**
 * How long a generation goes on working after its successor was first used, so that parallel tabs and lost answers
 * log nobody out. Milliseconds.
 */
export const overlap = 10_000

/**
 * How long a generation goes on working while its successor is not used, so that an answer that got lost can be asked for
 * again. Without an end, a thief who refreshes at once and never uses the newest token would stay beside the owner unseen.
 * Milliseconds.
 */
export const unusedOverlap = 300_000

/**
 * What a token is to its session: its `current` one; a `previous` one that still works; or `reused`, one that should
 * be long gone, which is theft (RFC 9700 4.14.2).
 */
export type TokenStatus = 'current' | 'previous' | 'reused'

/** Whose session it is, and what the token is to it. */
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
    // No theft for certain: the answer with the successor may have got lost.
    throw problem('token_expired')
  }
  if (age === 1 && inOverlap(session.generationUsedTime)) return 'previous'
  if (age === 2 && inOverlap(session.previousUsedTime)) return 'previous'
  return 'reused'
}

/**
 * Judges the claims of a verified token against its session at the moment `now` (epoch milliseconds).
 * Throws `token_invalid`, `token_expired`, `session_replaced`, `session_revoked`, `session_expired`.
 */
export const validateSession = (found: SessionOwner | undefined, claims: Claims, now: number): ValidatedSession => {
  // Ended sessions are kept until their last moment: one that is gone has passed it.
  if (!found) throw problem('session_expired')
  const { session, user, tenant } = found
  const belongs =
    claims.sub === String(user.id) && claims.tid === session.tenantId && claims.client_id === session.userClient
  if (!belongs) throw problem('token_invalid')
  if (session.endReason === 'replaced') throw problem('session_replaced')
  if (session.endReason !== null) throw problem('session_revoked')
  if (now >= session.expiry || now >= session.idleExpiry) throw problem('session_expired')
  // Disabling ends the sessions; should one have slipped in, it is not served either.
  if (user.userStatus !== userStatuses.normal || !tenant.enabled) throw problem('session_revoked')
  return { owner: found, tokenStatus: tokenStatusOf(session, claims.gen, now) }
}
