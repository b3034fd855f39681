import type { Store } from '../../db/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../clock.js'
import { problem } from '../errors/problem.js'

/** Within what tries are counted together, and how many may fail before a pause. */
export interface Scope {
  key: string
  limit: number
}

/** For how long a pause is remembered, so that the next one is longer. */
export const memory = 24 * 3600 * 1000

const levelKey = (key: string) => `${key}:pauses`
/** Counts only tries that have failed, not those under way: what decides whether a captcha is needed. */
const failedKey = (key: string) => `${key}:failed`

/** Counts tries by scope, and pauses a scope with too many failures, each time twice as long. */
export const createScopes = (store: Store, clock: Clock, lockout: Settings['lockout']) => {
  const window = lockout.window * 1000
  return {
    /** Counts a try; resolves to its number. Throws `too_many_attempts` while the scope must wait. */
    async count({ key, limit }: Scope): Promise<number> {
      const counter = await store.increment(key, 1, window)
      if (counter.count > limit) {
        throw problem('too_many_attempts', { retryAfter: Math.max(1, (counter.expiry - clock.now()) / 1000) })
      }
      return counter.count
    },

    /** The last try that was allowed has failed: the next one waits. */
    async pause({ key, limit }: Scope): Promise<void> {
      const pauses = await store.increment(levelKey(key), 1, memory)
      const seconds = Math.min(lockout.firstPause * 2 ** (pauses.count - 1), lockout.longestPause)
      await store.set(key, String(limit), seconds * 1000)
    },

    /** What failed was not the credential: the try does not count. */
    giveBack: ({ key }: Scope) => store.increment(key, -1, window),

    recordFailure: ({ key }: Scope) => store.increment(failedKey(key), 1, window),
    failures: async ({ key }: Scope): Promise<number> => Number((await store.get(failedKey(key))) ?? 0),

    /** A success: the scopes start afresh. */
    forget: (scopes: Scope[]) => store.delete(scopes.flatMap(({ key }) => [key, levelKey(key), failedKey(key)])),
  }
}

export type Scopes = ReturnType<typeof createScopes>
