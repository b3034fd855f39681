import { hash } from 'node:crypto'
import type { Store } from '../../../db/repositories/store.js'
import { nameKey, type SignInName } from '../../../db/sign-in-names.js'
import { randomId } from '../../../lib/random-id.js'
import { addressKey } from '../../../lib/address-key.js'
import { lockoutMemory } from './throttle-counters.js'

/** An address stays known for this time after the last sign-in from it. Milliseconds. */
const knownFor = 30 * 24 * 3600 * 1000
/** The time of a sign-in from a known address is stored at most once in this time. Milliseconds. */
const rewriteAfter = 24 * 3600 * 1000

/** Stored data about a submitted name. */
export interface NameHistory {
  /** Prefix of the keys of the name's counters. */
  counterKey: string
  /** Whether the user with this name has signed in from the address in the last 30 days. */
  isKnownAddress: boolean
  /** When a sign-in from the address was last stored, epoch milliseconds; undefined when the address is not known. */
  storedTime: number | undefined
  /** Where pauses of the name are noted. */
  pauseKey: string
}

/**
 * Submitted names. Those with and without an account are treated alike, so that no answer shows which accounts exist. A
 * missing name, as in a sign-in by ticket, has keys of its own.
 */
export const createNames = (store: Store, now: () => number) => {
  // Hashed, because names may be long, and a password typed into the name field must not be stored.
  const nameOf = (tenantId: number, subject: SignInName | undefined) =>
    `${tenantId}:${hash('sha256', subject ? nameKey(subject) : '', 'base64url')}`
  const generationKey = (name: string) => `attempts:generation:${name}`
  const failedKey = (counterKey: string) => `attempts:failed:${counterKey}`
  const counterKeyOf = (name: string, generation = '0') => `${name}:${generation}`
  const pauseKeyOf = (name: string) => `attempts:paused:${name}`
  const knownKey = (name: string, address: string) => `attempts:known:${name}:${addressKey(address)}`

  /** Prefix of the keys of the name's counters. */
  const counterOf = async (tenantId: number, subject: SignInName): Promise<string> => {
    const name = nameOf(tenantId, subject)
    return counterKeyOf(name, await store.get(generationKey(name)))
  }

  return {
    counterOf,

    /** Where pauses of a name are noted. */
    pauseKeyOf: (tenantId: number, subject: SignInName): string => pauseKeyOf(nameOf(tenantId, subject)),

    /** Notes that a failure was counted: the counters of a name cannot be listed, because their keys contain addresses. */
    noteFailure: ({ counterKey }: NameHistory): Promise<void> => store.set(failedKey(counterKey), '', lockoutMemory),

    /** Whether failures have been counted since the last unlock and may still count. */
    hasFailed: async (tenantId: number, subject: SignInName): Promise<boolean> =>
      (await store.get(failedKey(await counterOf(tenantId, subject)))) !== undefined,

    /** Resets all counters of a name, by giving it new keys: the old keys contain addresses and cannot be listed. */
    async unlock(tenantId: number, subject: SignInName): Promise<void> {
      const name = nameOf(tenantId, subject)
      await store.set(generationKey(name), randomId(), lockoutMemory)
      await store.delete([pauseKeyOf(name)])
    },

    async readHistory(tenantId: number, subject: SignInName | undefined, address: string): Promise<NameHistory> {
      const name = nameOf(tenantId, subject)
      const [generation, known] = [generationKey(name), knownKey(name, address)]
      const entries = await store.getMany([generation, known])
      const expiry = entries.get(known)?.expiry
      return {
        counterKey: counterKeyOf(name, entries.get(generation)?.value),
        isKnownAddress: expiry !== undefined,
        storedTime: expiry === undefined ? undefined : expiry - knownFor,
        pauseKey: pauseKeyOf(name),
      }
    },

    /** Whether a sign-in must be stored: once a day, and after a change of the account, which may have got other names. */
    isDue: (storedTime: number | undefined, changeTime: number): boolean =>
      storedTime === undefined || storedTime <= Math.max(now() - rewriteAfter, changeTime),

    /** Stores that the user with these names has signed in from this address. */
    async rememberAddress(tenantId: number, subjects: SignInName[], address: string): Promise<void> {
      const keys = subjects.map((subject) => knownKey(nameOf(tenantId, subject), address))
      await store.setMany(keys, '', knownFor)
    },
  }
}

export type Names = ReturnType<typeof createNames>
