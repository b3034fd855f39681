import { hash } from 'node:crypto'
import { fold } from '../../db/fold.js'
import type { Store } from '../../db/repositories/store.js'
import { randomId } from '../../lib/random-id.js'
import { addressKey } from '../../lib/address-key.js'
import { memory } from './scopes.js'

/** How long an address stays known after the last sign-in from it. Milliseconds. */
const knownFor = 30 * 24 * 3600 * 1000
/** It is written down at most once in this time. Milliseconds. */
const rewriteAfter = 24 * 3600 * 1000

/** What is known of a name at an address. */
export interface Standing {
  /** What the counters of the name begin with. */
  counter: string
  isKnownAddress: boolean
}

/**
 * Under what a name is counted: user name, phone number in E.164 form or e-mail address. Known and unknown names alike,
 * so that nothing here tells who has an account.
 */
export const createNames = (store: Store, now: () => number) => {
  // Hashed: names may be long, and a mistyped password in the name field must not lie in the store.
  const nameOf = (tenantId: number, subject: string) => `${tenantId}:${hash('sha256', fold(subject), 'base64url')}`
  const generationKey = (name: string) => `attempts:generation:${name}`
  const counter = (name: string, generation = '0') => `${name}:${generation}`
  const knownKey = (name: string, address: string) => `attempts:known:${name}:${addressKey(address)}`

  return {
    /** What counters of a name begin with. To unlock a name is to move on to new counters, wherever the old ones are. */
    async counterOf(tenantId: number, subject: string): Promise<string> {
      const name = nameOf(tenantId, subject)
      return counter(name, await store.get(generationKey(name)))
    },

    /** Forgets everything that was counted for a name. */
    async unlock(tenantId: number, subject: string): Promise<void> {
      await store.set(generationKey(nameOf(tenantId, subject)), randomId(), memory)
    },

    /** The counters of a name, and whether somebody of it has signed in from this address in the last 30 days. */
    async standing(tenantId: number, subject: string, address: string): Promise<Standing> {
      const name = nameOf(tenantId, subject)
      const [generation, known] = [generationKey(name), knownKey(name, address)]
      const entries = await store.getMany([generation, known])
      return { counter: counter(name, entries.get(generation)?.value), isKnownAddress: entries.has(known) }
    },

    /** Remembers that somebody with these names has signed in from this address. */
    async rememberAddress(tenantId: number, subjects: string[], address: string): Promise<void> {
      const keys = subjects.map((subject) => knownKey(nameOf(tenantId, subject), address))
      const entries = await store.getMany(keys)
      const isFresh = (key: string) => (entries.get(key)?.expiry ?? 0) > now() + knownFor - rewriteAfter
      const old = keys.filter((key) => !isFresh(key))
      if (old.length > 0) await store.setMany(old, '', knownFor)
    },
  }
}

export type Names = ReturnType<typeof createNames>
