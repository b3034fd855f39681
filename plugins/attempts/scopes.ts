import type { Entry, Store } from '../../db/repositories/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'

/** Within what failures are counted together, and how many there may be before a pause. */
export interface Scope {
  key: string
  limit: number
  /** Whether somebody asks for its `failures`. */
  isAskedFor?: boolean
}

/**
 * So many failures at once, and as many again spread over the 24 hours after: a bound for each day, whatever pauses there
 * were. A success does not forget them.
 */
export interface Budget {
  key: string
  burst: number
}

/** Where one failure counts. */
export type Counted = Scope | Budget

const isBudget = (counted: Counted): counted is Budget => 'burst' in counted

/** For how long a pause is remembered, so that the next one is longer. */
export const memory = 24 * 3600 * 1000

const day = 24 * 3600 * 1000
/** After how long a budget has room for one more failure. Milliseconds. */
const refillTime = ({ burst }: Budget) => Math.floor(day / burst)

const levelKey = (key: string) => `${key}:pauses`
/** Counts failures on, whatever pauses there were: what decides whether a captcha is needed. */
const failedKey = (key: string) => `${key}:failed`
const keysOf = (counted: Counted): string[] =>
  isBudget(counted) ? [counted.key] : [counted.key, levelKey(counted.key), failedKey(counted.key)]

/** Counts failures by scope, and pauses a scope with too many, each time twice as long. */
export const createScopes = (store: Store, clock: Clock, lockout: Settings['lockout']) => {
  const window = lockout.window * 1000
  /** Pauses that begin at this moment, by key. */
  const beginning = new Map<string, Promise<void>>()

  const tooMany = (until: number) =>
    problem('too_many_attempts', { retryAfter: Math.max(1, (until - clock.now()) / 1000) })

  /** The moment until which no further try may be made; undefined when one may. */
  const pausedUntil = (counted: Counted, entry: Entry | undefined): number | undefined => {
    if (!entry) return undefined
    if (!isBudget(counted)) return Number(entry.value) >= counted.limit ? entry.expiry : undefined
    // The expiry stands for the failures: each one has moved it on by the time that refills it.
    const hasRoom = entry.expiry - refillTime(counted) * (counted.burst - 1)
    return hasRoom > clock.now() ? hasRoom : undefined
  }

  /** Throws `too_many_attempts` while one of the scopes must wait. */
  const refusePaused = (scopes: Counted[], entries: ReadonlyMap<string, Entry>): void => {
    for (const counted of scopes) {
      const until = pausedUntil(counted, entries.get(counted.key))
      if (until !== undefined) throw tooMany(until)
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

  const recordInScope = async (scope: Scope) => {
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

  const recordInBudget = async (budget: Budget) => {
    const refill = refillTime(budget)
    // Parallel guesses beyond the budget move it on by one failure at most, which is how they are noticed.
    const expiry = await store.prolong(budget.key, refill, refill * (budget.burst + 1))
    if (expiry > clock.now() + refill * budget.burst) throw tooMany(expiry - refill * (budget.burst - 1))
  }

  return {
    /** What is known of the scopes at this moment. */
    async read(scopes: Counted[]) {
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

    /** Lifts the pause of a scope, and forgets how many there were. */
    lift: (scope: Scope): Promise<void> => store.delete(keysOf(scope)),

    /**
     * Counts a failure in each of the scopes; the last one that is allowed makes the next try wait. Throws
     * `too_many_attempts` when others have used up what was allowed meanwhile; in the scopes after that one nothing is
     * counted then.
     */
    async recordFailure(scopes: Counted[]): Promise<void> {
      for (const counted of scopes) await (isBudget(counted) ? recordInBudget(counted) : recordInScope(counted))
    },
  }
}

export type Scopes = ReturnType<typeof createScopes>
