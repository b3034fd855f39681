import type { Store } from '../../../db/repositories/store.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Clock } from '../../../lib/clock.js'
import { addressKey } from '../../../lib/address-key.js'
import { isProblem } from '../../../lib/problem.js'
import { limits } from '../limits.js'
import { createThrottleCounters, type FailureCounter } from './throttle-counters.js'

/** Seconds. The settings of lockouts are for passwords, which are guessed more slowly. */
const pauses = { window: 900, firstPause: 60, longestPause: 3600 }

/** A try of a second factor. */
export interface FactorTry {
  userId: number
  /** Network address. */
  address: string
  /** Id of the device, if the user has signed in on it before. */
  device?: string | undefined
}

/**
 * Counts wrong second factors of an account, whatever tickets they came with, apart from passwords: they lock no password, and a right
 * password resets none of them. The known devices of an account have counters of their own, so that somebody who knows the password
 * cannot keep the owner out.
 */
export const createFactorLimiter = (
  store: Store,
  clock: Clock,
  { lockout, countAddresses }: { lockout: Settings['lockout']; countAddresses: boolean },
) => {
  const counters = createThrottleCounters(store, clock, { ...lockout, ...pauses })

  const countersOf = ({ userId, address, device }: FactorTry) => {
    const known = device !== undefined
    const account: FailureCounter = {
      key: known ? `factor:known:${userId}` : `factor:account:${userId}`,
      limit: known ? limits.factors.of.device : limits.factors.of.stranger,
    }
    const ofAddress: FailureCounter = { key: `factor:address:${addressKey(address)}`, limit: lockout.addressFailures }
    return { account, all: [account, ...(countAddresses && !known ? [ofAddress] : [])] }
  }

  /**
   * Runs `verify`; a wrong code counts as a failure. One that was right and has been used does not: of parallel requests with one code
   * the losers would otherwise pause the winner. Throws `too_many_attempts` during a pause, before or after.
   */
  return async <T>(tried: FactorTry, verify: () => Promise<T>): Promise<T> => {
    const { account, all } = countersOf(tried)
    const current = await counters.read(all)
    current.check()
    let verified: T
    try {
      verified = await verify()
    } catch (error) {
      if (isProblem(error) && error.code === 'invalid_code' && error.details.wasUsed !== true)
        await counters.recordFailure(all)
      throw error
    }
    await current.recordSuccess([account])
    return verified
  }
}
