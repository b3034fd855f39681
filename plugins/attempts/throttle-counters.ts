import type { Entry, Store } from '../../db/repositories/store.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'
import {
  failureCountKey,
  isDailyBudget,
  keysOf,
  lockedUntil,
  lockoutCountKey,
  lockoutMemory,
  refillTime,
  type DailyBudget,
  type FailureCounter,
  type ThrottleCounter,
} from './counter.js'

/** Reads and writes throttle counters in the store. */
export const createThrottleCounters = (store: Store, clock: Clock, lockout: Settings['lockout']) => {
  const window = lockout.window * 1000
  /** Lockouts that are being written, by key. */
  const beginningLockouts = new Map<string, Promise<void>>()

  const tooManyAttempts = (until: number) =>
    problem('too_many_attempts', { retryAfter: Math.max(1, (until - clock.now()) / 1000) })

  const refuseLocked = (counters: ThrottleCounter[], entries: ReadonlyMap<string, Entry>): void => {
    for (const counter of counters) {
      const until = lockedUntil(counter, entries.get(counter.key), clock.now())
      if (until !== undefined) throw tooManyAttempts(until)
    }
  }

  const lock = async ({ key, limit }: FailureCounter) => {
    const lockouts = await store.increment(lockoutCountKey(key), 1, lockoutMemory)
    const seconds = Math.min(lockout.firstPause * 2 ** (lockouts.count - 1), lockout.longestPause)
    await store.set(key, String(limit), seconds * 1000)
  }

  const beginLockout = (counter: FailureCounter): Promise<void> => {
    const locking = lock(counter).finally(() => beginningLockouts.delete(counter.key))
    beginningLockouts.set(counter.key, locking)
    return locking
  }

  const countFailure = async (counter: FailureCounter) => {
    const { key, limit, isReported } = counter
    const { count, expiry } = await store.increment(key, 1, window)
    if (count > limit) {
      // A parallel try has reached the limit. Wait until its lockout is written, to answer with the right Retry-After.
      await beginningLockouts.get(key)
      refuseLocked([counter], await store.getMany([key]))
      throw tooManyAttempts(expiry)
    }
    if (count === limit) await beginLockout(counter)
    if (isReported) await store.increment(failureCountKey(key), 1, window)
  }

  const spendBudget = async (budget: DailyBudget) => {
    const refill = refillTime(budget)
    // `prolong` caps the expiry at one refill time beyond the budget, so parallel failures over the budget are detected
    // here.
    const expiry = await store.prolong(budget.key, refill, refill * (budget.burst + 1))
    if (expiry > clock.now() + refill * budget.burst) throw tooManyAttempts(expiry - refill * (budget.burst - 1))
  }

  return {
    /** Reads the current state of the counters. */
    async read(counters: ThrottleCounter[]) {
      const entries = await store.getMany(counters.flatMap(keysOf))
      return {
        /** Throws `too_many_attempts` if one of the counters is locked. */
        check: (): void => refuseLocked(counters, entries),
        failures: ({ key }: FailureCounter): number => Number(entries.get(failureCountKey(key))?.value ?? 0),

        /**
         * Resets `toReset`. Throws `too_many_attempts`, and resets nothing, if one of all counters has been locked
         * meanwhile.
         */
        async recordSuccess(toReset: FailureCounter[]): Promise<void> {
          const current = await store.getMany(counters.map(({ key }) => key))
          refuseLocked(counters, current)
          const keys = toReset.flatMap(keysOf)
          // Writes nothing in the usual case without failures.
          if (keys.some((key) => entries.has(key) || current.has(key))) await store.delete(keys)
        },
      }
    },

    /** Ends a lockout and resets the counter, including the number of earlier lockouts. */
    reset: (counter: FailureCounter): Promise<void> => store.delete(keysOf(counter)),

    /**
     * Counts a failure in each counter, in order. The failure that reaches a limit begins a lockout. Throws
     * `too_many_attempts` if parallel failures have passed a limit already; the counters after that one are not changed.
     */
    async recordFailure(counters: ThrottleCounter[]): Promise<void> {
      for (const counter of counters) await (isDailyBudget(counter) ? spendBudget(counter) : countFailure(counter))
    },
  }
}

export type ThrottleCounters = ReturnType<typeof createThrottleCounters>
