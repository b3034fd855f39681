import type { Settings } from '../../../schemas/settings.js'
import { isOutage } from '../../../db/outage.js'
import { isProblem } from '../../../lib/problem.js'
import { addressKey } from '../../../lib/address-key.js'
import type { ThrottleCounters } from './throttle-counters.js'

/** The reasons that are counted, each with the name of its counters. */
const counted = { token_invalid: 'token', token_ended: 'api-token', invalid_client: 'client' } as const

/**
 * Counts forged tokens, or wrong client credentials, per network address, apart from failed sign-ins. What is valid is accepted
 * from a locked address too, so that users are not signed out because of others behind the same router. Sign-ins have
 * separate counters: after a loss of the signing keys, all tokens of an office are invalid at the same time, and its users
 * must be able to sign in.
 */
export const createTokenLimiter =
  (
    counters: ThrottleCounters,
    { lockout, countAddresses }: { lockout: Settings['lockout']; countAddresses: boolean },
    reason: keyof typeof counted,
  ) =>
  /** Runs `verify`. Rethrows its errors, with `too_many_attempts` instead of `reason` when the address is locked. */
  async <T>(address: string, verify: () => T | Promise<T>): Promise<T> => {
    try {
      return await verify()
    } catch (error) {
      if (!countAddresses || !isProblem(error) || error.code !== reason) throw error
      const counter = { key: `attempts:${counted[reason]}:${addressKey(address)}`, limit: lockout.nameFailuresAnywhere }
      // While the store does not answer, forged tokens are refused uncounted: nobody guesses a signature.
      await counters.recordFailure([counter]).catch((fault: unknown) => {
        if (reason === 'invalid_client' || !isOutage(fault)) throw fault
      })
      throw error
    }
  }
