import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { banEnd } from '../../../db/repositories/user-bans.js'
import { hashOfShown } from '../../../lib/api-token.js'
import type { Clock } from '../../../lib/clock.js'
import { inRanges } from '../../../lib/ip-ranges.js'
import { createObservers } from '../../../lib/observers.js'
import { isProblem, problem } from '../../../lib/problem.js'
import { userStatuses } from '../../../schemas/user.js'
import { apiTokenOf } from './bearer.js'

/** The use of a token is stored at most once in this time. Milliseconds. */
const maxTouchInterval = 60_000

/** What came of a request with a token. */
export type TokenOutcome = 'accepted' | 'malformed' | 'refused' | 'expired' | 'address'

/** Whoever uses an API token, and the token. */
export type TokenOwner = SessionOwner & Required<Pick<SessionOwner, 'token'>>

const isTokenOwner = (owner: SessionOwner): owner is TokenOwner => owner.token !== undefined

/** Checks API tokens: what scripts and other services sign in with instead of a session. */
export const createApiTokens = (db: Pick<Database, 'apiTokens'>, clock: Clock) => {
  const uses = createObservers<[TokenOutcome]>()
  const refuse = (outcome: TokenOutcome, reason: Parameters<typeof problem>[0]) => {
    uses.tell(outcome)
    return problem(reason)
  }

  /** Throws what `authenticate` throws, but for the address. */
  const check = async (token: string, now: number): Promise<TokenOwner> => {
    const tokenHash = hashOfShown(token)
    if (tokenHash === undefined) throw refuse('malformed', 'token_invalid')
    const found = await db.apiTokens.find(tokenHash)
    if (!found || !isTokenOwner(found)) throw refuse('refused', 'token_ended')
    const { token: stored, user, tenant } = found
    const maySignIn = user.userStatus === userStatuses.normal && tenant.enabled && banEnd(user, now) === null
    if (stored.endTime !== null || !maySignIn) throw refuse('refused', 'token_ended')
    if (stored.expiry !== null && now >= stored.expiry) throw refuse('expired', 'token_expired')
    // As it is in the cache: what is made of it is remembered by it.
    return found
  }

  return {
    /** The API token of an Authorization header; undefined where it has none, or another token. */
    shownIn: apiTokenOf,

    /** For metrics. */
    onUse: uses.add,

    /**
     * The owner of a token, with the permissions that both have now. Throws `token_invalid` for what is no token, without a question to the
     * database; `token_ended` for one that is unknown or ended, or whose owner may not sign in; `token_expired`; `token_not_allowed` at
     * another address than the token names.
     */
    async authenticate(token: string, address: string): Promise<TokenOwner> {
      const now = clock.now()
      const owner = await check(token, now)
      const { id, addresses, lastUsedTime } = owner.token
      if (addresses && !inRanges(addresses, address)) throw refuse('address', 'token_not_allowed')
      if (now - (lastUsedTime ?? 0) >= maxTouchInterval) await db.apiTokens.touch(id, now, address)
      uses.tell('accepted')
      return owner
    },

    /** The owner of a token that another service was shown; undefined for one that is not accepted. */
    async find(token: string): Promise<TokenOwner | undefined> {
      try {
        return await check(token, clock.now())
      } catch (error) {
        if (isProblem(error) && error.statusCode === 401) return undefined
        throw error
      }
    },
  }
}

export type ApiTokens = ReturnType<typeof createApiTokens>
