import type { Settings } from '../../schemas/settings.js'
import { isProblem } from '../../lib/problem.js'
import { addressKey } from '../../lib/address-key.js'
import type { Scopes } from './scopes.js'

/**
 * Counts tokens that nobody issued against the network address they come from. Only those wait: a genuine token passes
 * also from an address that is paused, so that nobody is signed out for the neighbours behind the same router; and
 * sign-ins are not paused for it, because after a loss of the signing keys all tokens of an office are wrong at once.
 */
export const createTokenTries =
  (scopes: Scopes, { lockout, countAddresses }: { lockout: Settings['lockout']; countAddresses: boolean }) =>
  /** Runs `prove`, which looks at a token. Throws what it throws, or `too_many_attempts` in place of `token_invalid`. */
  async <T>(address: string, prove: () => Promise<T>): Promise<T> => {
    try {
      return await prove()
    } catch (error) {
      if (!countAddresses || !isProblem(error) || error.code !== 'token_invalid') throw error
      await scopes.recordFailure([
        { key: `attempts:token:${addressKey(address)}`, limit: lockout.nameFailuresAnywhere },
      ])
      throw error
    }
  }
