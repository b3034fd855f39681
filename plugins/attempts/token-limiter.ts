import type { Settings } from '../../schemas/settings.js'
import { isProblem } from '../../lib/problem.js'
import { addressKey } from '../../lib/address-key.js'
import type { ThrottleCounters } from './throttle-counters.js'

/**
 * Counts forged tokens per network address, apart from failed sign-ins. A valid token is accepted from a locked address
 * too, so that users are not signed out because of others behind the same router. Sign-ins have separate counters: after a
 * loss of the signing keys, all tokens of an office are invalid at the same time, and its users must be able to sign in.
 */
export const createTokenLimiter =
  (
    counters: ThrottleCounters,
    { lockout, countAddresses }: { lockout: Settings['lockout']; countAddresses: boolean },
  ) =>
  /**
   * Runs `verify`, which checks a token. Rethrows its errors, with `too_many_attempts` instead of `token_invalid` when the
   * address is locked.
   */
  async <T>(address: string, verify: () => Promise<T>): Promise<T> => {
    try {
      return await verify()
    } catch (error) {
      if (!countAddresses || !isProblem(error) || error.code !== 'token_invalid') throw error
      await counters.recordFailure([
        { key: `attempts:token:${addressKey(address)}`, limit: lockout.nameFailuresAnywhere },
      ])
      throw error
    }
  }
