import { hash } from 'node:crypto'
import { fold } from '../../db/fold.js'
import type { Store } from '../../db/store.js'
import { randomId } from '../random-id.js'
import { addressKey } from './address.js'
import { memory } from './scopes.js'

/** How long an address stays known after the last sign-in from it. Milliseconds. */
const knownFor = 30 * 24 * 3600 * 1000
/** It is written down at most once in this time. Milliseconds. */
const rewriteAfter = 24 * 3600 * 1000

/**
 * Under what a name is counted: user name, phone number in E.164 form or e-mail address. Known and unknown names alike,
 * so that nothing here tells who has an account.
 */
export const createNames = (store: Store, now: () => number) => {
  // Hashed: names may be long, and a mistyped password in the name field must not lie in the store.
  const nameOf = (tenantId: number, subject: string) => `${tenantId}:${hash('sha256', fold(subject), 'base64url')}`
  const generationKey = (name: string) => `attempts:generation:${name}`
  const knownKey = (tenantId: number, subject: string, address: string) =>
    `attempts:known:${nameOf(tenantId, subject)}:${addressKey(address)}`

  return {
    /** What counters of a name begin with. To unlock a name is to move on to new counters, wherever the old ones are. */
    async counterOf(tenantId: number, subject: string): Promise<string> {
      const name = nameOf(tenantId, subject)
      return `${name}:${(await store.get(generationKey(name))) ?? '0'}`
    },

    /** Forgets everything that was counted for a name. */
    async unlock(tenantId: number, subject: string): Promise<void> {
      await store.set(generationKey(nameOf(tenantId, subject)), randomId(), memory)
    },

    /** Whether somebody of this name has signed in from this address in the last 30 days. */
    isKnownAddress: async (tenantId: number, subject: string, address: string): Promise<boolean> =>
      (await store.get(knownKey(tenantId, subject, address))) !== undefined,

    /** Remembers that somebody with these names has signed in from this address. */
    async rememberAddress(tenantId: number, subjects: string[], address: string): Promise<void> {
      const keys = subjects.map((subject) => knownKey(tenantId, subject, address))
      const entries = await store.getMany(keys)
      const isFresh = (key: string) => (entries.get(key)?.expiry ?? 0) > now() + knownFor - rewriteAfter
      const old = keys.filter((key) => !isFresh(key))
      if (old.length > 0) await store.setMany(old, '', knownFor)
    },
  }
}

export type Names = ReturnType<typeof createNames>
