import type { Entry } from '../../db/repositories/store.js'

/** Counts failures. When `limit` is reached, tries are refused for a time (a lockout); each lockout lasts twice as long as the one before. */
export interface FailureCounter {
  key: string
  limit: number
  /** Whether `failures` is read for this counter, which needs an entry that lockouts do not reset. */
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

export const isDailyBudget = (counter: ThrottleCounter): counter is DailyBudget => 'burst' in counter

const day = 24 * 3600 * 1000
/** For this time after a lockout the next one is longer. Milliseconds. */
export const lockoutMemory = day

/** Milliseconds until a budget allows one more failure. */
export const refillTime = ({ burst }: DailyBudget) => Math.floor(day / burst)

/** How many lockouts there were. */
export const lockoutCountKey = (key: string) => `${key}:pauses`
/** All failures in the window, lockouts or not: decides whether a captcha is needed. */
export const failureCountKey = (key: string) => `${key}:failed`
export const keysOf = (counter: ThrottleCounter): string[] =>
  isDailyBudget(counter) ? [counter.key] : [counter.key, lockoutCountKey(counter.key), failureCountKey(counter.key)]

/** When the next try is allowed; undefined when it is allowed now. */
export const lockedUntil = (counter: ThrottleCounter, entry: Entry | undefined, now: number): number | undefined => {
  if (!entry) return undefined
  if (!isDailyBudget(counter)) return Number(entry.value) >= counter.limit ? entry.expiry : undefined
  // The expiry stands for the number of failures: each failure moves it on by one refill time.
  const hasRoom = entry.expiry - refillTime(counter) * (counter.burst - 1)
  return hasRoom > now ? hasRoom : undefined
}
