import type { Entry, Store } from '../../db/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../clock.js'
import { problem } from '../errors/problem.js'

/** Within what failures are counted together, and how many there may be before a pause. */
export interface Scope {
  key: string
  limit: number
  /** Whether somebody asks for its `failures`. */
  isAskedFor?: boolean
}

/** For how long a pause is remembered, so that the next one is longer. */
export const memory = 24 * 3600 * 1000

const levelKey = (key: string) => `${key}:pauses`
/** Counts failures on, whatever pauses there were: what decides whether a captcha is needed. */
const failedKey = (key: string) => `${key}:failed`
const keysOf = ({ key }: Scope) => [key, levelKey(key), failedKey(key)]

/** Counts failures by scope, and pauses a scope with too many, each time twice as long. */
export const createScopes = (store: Store, clock: Clock, lockout: Settings['lockout']) => {
  const window = lockout.window * 1000
  /** Pauses that begin at this moment, by key. */
  const beginning = new Map<string, Promise<void>>()

  const tooMany = (expiry: number) =>
    problem('too_many_attempts', { retryAfter: Math.max(1, (expiry - clock.now()) / 1000) })

  /** Throws `too_many_attempts` while one of the scopes must wait. */
  const refusePaused = (scopes: Scope[], entries: ReadonlyMap<string, Entry>): void => {
    for (const { key, limit } of scopes) {
      const entry = entries.get(key)
      if (entry && Number(entry.value) >= limit) throw tooMany(entry.expiry)
    }
  }

  const pause = async ({ key, limit }: Scope) => {
    const pauses = await store.increment(levelKey(key), 1, memory)
    const seconds = Math.min(lockout.firstPause * 2 ** (pauses.count - 1), lockout.longestPause)
    await store.set(key, String(limit), seconds * 1000)
  }

  const beginPause = (scope: Scope): Promise<void> => {
    const pausing = pause(scope).finally(() => beginning.delete(scope.key))
    beginning.set(scope.key, pausing)
    return pausing
  }

  const recordFailure = async (scope: Scope) => {
    const { key, limit, isAskedFor } = scope
    const { count, expiry } = await store.increment(key, 1, window)
    if (count > limit) {
      // For how long is decided by whoever came just before.
      await beginning.get(key)
      refusePaused([scope], await store.getMany([key]))
      throw tooMany(expiry)
    }
    if (count === limit) await beginPause(scope)
    if (isAskedFor) await store.increment(failedKey(key), 1, window)
  }

  return {
    /** What is known of the scopes at this moment. */
    async read(scopes: Scope[]) {
      const entries = await store.getMany(scopes.flatMap(keysOf))
      return {
        /** Throws `too_many_attempts` while one of the scopes must wait. */
        check: (): void => refusePaused(scopes, entries),
        failures: ({ key }: Scope): number => Number(entries.get(failedKey(key))?.value ?? 0),

        /**
         * A success: the `named` ones of the scopes start afresh. Throws `too_many_attempts`, and changes nothing, when
         * one of all scopes must wait by now.
         */
        async recordSuccess(named: Scope[]): Promise<void> {
          const current = await store.getMany(scopes.map(({ key }) => key))
          refusePaused(scopes, current)
          const keys = named.flatMap(keysOf)
          // Nearly always there is nothing to forget, and nothing to be written.
          if (keys.some((key) => entries.has(key) || current.has(key))) await store.delete(keys)
        },
      }
    },

    /**
     * Counts a failure in each of the scopes; the last one that is allowed makes the next try wait. Throws
     * `too_many_attempts` when others have used up what was allowed meanwhile; in the scopes after that one nothing is
     * counted then.
     */
    async recordFailure(scopes: Scope[]): Promise<void> {
      for (const scope of scopes) await recordFailure(scope)
    },
  }
}

export type Scopes = ReturnType<typeof createScopes>
