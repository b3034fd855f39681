import type { Store } from '../../../db/repositories/store.js'
import type { Settings } from '../../../schemas/settings.js'
import { addressKey } from '../../../lib/address-key.js'
import { randomId } from '../../../lib/random-id.js'
import { limits } from '../limits.js'
import type { FailureCounter } from './throttle-counters.js'

/** A try of a second factor. */
export interface FactorTry {
  userId: number
  kind: 'totp' | 'recovery' | 'passkey'
  /** Network address. */
  address: string
  /** Id of the device, if the user has proved a second factor on it before. */
  device: string | undefined
}

/** A row of wrong codes is remembered for this time after its first one. Milliseconds. */
export const rowMemory = 400 * 24 * 3600 * 1000

/**
 * Chooses the counters of tried factors. Each device on which the account has proved a factor has its own, and everybody else shares
 * those of strangers: nobody who knows the password, or has the cookie of another device, uses up what the owner needs.
 */
export const createFactorCounters = (
  store: Store,
  { lockout, countAddresses }: { lockout: Settings['lockout']; countAddresses: boolean },
) => {
  const generationKey = (userId: number) => `factor:generation:${userId}`
  const failedKey = (userId: number) => `factor:failed:${userId}`
  const pauseKeyOf = (userId: number) => `factor:paused:${userId}`

  const hasFailed = async (userId: number): Promise<boolean> => (await store.get(failedKey(userId))) !== undefined

  return {
    async of({ userId, kind, address, device }: FactorTry) {
      const account = `${userId}:${(await store.get(generationKey(userId))) ?? '0'}`
      const source = device === undefined ? `account:${account}` : `device:${account}:${device}`
      const of = device === undefined ? 'stranger' : 'oneDevice'
      /** Codes of apps alone can be guessed: a recovery code has 120 bits. Its owner is never paused because of others. */
      const isGuessable = kind === 'totp'
      const pause: FailureCounter = { key: `factor:${source}`, limit: limits.factors.of[of] }
      const ofAddress = { key: `factor:address:${addressKey(address)}`, limit: lockout.addressFailures }
      const paused = countAddresses && device === undefined ? [pause, ofAddress] : [pause]
      return {
        account,
        isGuessable,
        pause,
        row: { key: `factor:row:${source}`, limit: limits.factorsInRow.of[of] },
        all: isGuessable ? paused : [],
      }
    },

    /** Notes that something was counted: the counters of an account cannot be listed, because their keys contain devices. */
    noteFailure: (userId: number): Promise<void> => store.set(failedKey(userId), '', rowMemory),

    hasFailed,
    pauseKeyOf,

    /** Resets all counters of an account, by giving it new keys. */
    unlock: async (userId: number): Promise<void> => {
      if (!(await hasFailed(userId))) return
      await store.set(generationKey(userId), randomId(), rowMemory)
      await store.delete([failedKey(userId), pauseKeyOf(userId)])
    },
  }
}
