import type { Entry, Store } from '../../../db/repositories/store.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'

/**
 * Counts failures. When `limit` is reached, a lockout begins: tries are refused. Each lockout lasts twice as long as the
 * one before.
 */
export interface FailureCounter {
  key: string
  limit: number
  /** Whether `failures` is read for this counter. It then has a second entry, which lockouts do not reset. */
  isReported?: boolean
}

/**
 * Allows `burst` failures at once and refills over 24 hours, so that at most `2 * burst` failures fit in a day. A success
 * does not reset it.
 */
export interface DailyBudget {
  key: string
  burst: number
}

export type ThrottleCounter = FailureCounter | DailyBudget

const isDailyBudget = (counter: ThrottleCounter): counter is DailyBudget => 'burst' in counter

const day = 24 * 3600 * 1000
/** Lockouts are remembered for this time, so that the next one is longer. Milliseconds. */
export const lockoutMemory = day

/** Milliseconds until a budget allows one more failure. */
const refillTime = ({ burst }: DailyBudget) => Math.floor(day / burst)

/** Key of the number of lockouts. */
const lockoutCountKey = (key: string) => `${key}:pauses`
/** Key of the number of failures in the window, which lockouts do not reset. It decides whether a captcha is needed. */
const failureCountKey = (key: string) => `${key}:failed`
/** All keys of a counter. */
export const keysOf = (counter: ThrottleCounter): string[] =>
  isDailyBudget(counter) ? [counter.key] : [counter.key, lockoutCountKey(counter.key), failureCountKey(counter.key)]

/** When the next try is allowed; undefined when it is allowed now. */
const lockedUntil = (counter: ThrottleCounter, entry: Entry | undefined, now: number): number | undefined => {
  if (!entry) return undefined
  if (!isDailyBudget(counter)) return Number(entry.value) >= counter.limit ? entry.expiry : undefined
  // The expiry encodes the number of failures: each failure moves it forward by one refill time.
  const hasRoom = entry.expiry - refillTime(counter) * (counter.burst - 1)
  return hasRoom > now ? hasRoom : undefined
}

/** Reads and writes throttle counters in the store. */
export const createThrottleCounters = (store: Store, clock: Clock, lockout: Settings['lockout']) => {
  const window = lockout.window * 1000
  /** Milliseconds of the next lockout after so many. */
  const pauseAfter = (lockouts: number): number =>
    Math.min(lockout.firstPause * 2 ** lockouts, lockout.longestPause) * 1000
  const lockoutsOf = (key: string, entries: ReadonlyMap<string, Entry>): number =>
    Number(entries.get(lockoutCountKey(key))?.value ?? 0)

  const tooManyAttempts = (until: number) =>
    problem('too_many_attempts', { retryAfter: Math.max(1, (until - clock.now()) / 1000) })

  const refuseLocked = (counters: ThrottleCounter[], entries: ReadonlyMap<string, Entry>): void => {
    for (const counter of counters) {
      const now = clock.now()
      const until = lockedUntil(counter, entries.get(counter.key), now)
      if (until === undefined) continue
      // While another request writes the lockout, the counter still has the longer expiry of its window.
      const longest = isDailyBudget(counter) ? Infinity : pauseAfter(lockoutsOf(counter.key, entries))
      throw tooManyAttempts(Math.min(until, now + longest))
    }
  }

  const lock = async ({ key, limit }: FailureCounter) => {
    const lockouts = lockoutsOf(key, await store.getMany([lockoutCountKey(key)]))
    const pause = pauseAfter(lockouts)
    await store.set(key, String(limit), pause)
    // Last: until then the others know how long this lockout is.
    await store.increment(lockoutCountKey(key), 1, lockoutMemory)
    return clock.now() + pause
  }

  const countFailure = async (counter: FailureCounter): Promise<number | undefined> => {
    const { key, limit, isReported } = counter
    const [{ count, expiry }] = await Promise.all([
      store.increment(key, 1, window),
      isReported && store.increment(failureCountKey(key), 1, window),
    ])
    if (count > limit) {
      // A parallel try has reached the limit.
      refuseLocked([counter], await store.getMany([key, lockoutCountKey(key)]))
      throw tooManyAttempts(expiry)
    }
    return count === limit ? lock(counter) : undefined
  }

  const spendBudget = async (budget: DailyBudget): Promise<number | undefined> => {
    const refill = refillTime(budget)
    // `prolong` caps the expiry at one refill time beyond the budget, so parallel failures over the budget are detected
    // here.
    const expiry = await store.prolong(budget.key, refill, refill * (budget.burst + 1))
    const now = clock.now()
    if (expiry > now + refill * budget.burst) throw tooManyAttempts(expiry - refill * (budget.burst - 1))
    return lockedUntil(budget, { value: '', expiry }, now)
  }

  const count = (counter: ThrottleCounter): Promise<number | undefined> =>
    isDailyBudget(counter) ? spendBudget(counter) : countFailure(counter)

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
          const current = await store.getMany(counters.flatMap(keysOf))
          refuseLocked(counters, current)
          const keys = toReset.flatMap(keysOf)
          // Writes nothing in the usual case without failures.
          if (keys.some((key) => entries.has(key) || current.has(key))) await store.delete(keys)
        },
      }
    },

    /** Ends a lockout and resets the counter, including the number of earlier lockouts. */
    reset: (counter: ThrottleCounter): Promise<void> => store.delete(keysOf(counter)),

    /**
     * Counts a failure in each counter. The failure that reaches a limit begins a lockout. Throws `too_many_attempts` if parallel failures
     * have passed a limit already; the others are not changed when that of the first one has been passed. Resolves to when the pauses
     * that have begun end, in the order of the counters.
     */
    async recordFailure([first, ...others]: ThrottleCounter[]): Promise<(number | undefined)[]> {
      if (!first) return []
      return [await count(first), ...(await Promise.all(others.map(count)))]
    },
  }
}

export type ThrottleCounters = ReturnType<typeof createThrottleCounters>
