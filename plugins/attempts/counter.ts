import type { Entry } from '../../db/repositories/store.js'

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

export const isDailyBudget = (counter: ThrottleCounter): counter is DailyBudget => 'burst' in counter

const day = 24 * 3600 * 1000
/** Lockouts are remembered for this time, so that the next one is longer. Milliseconds. */
export const lockoutMemory = day

/** Milliseconds until a budget allows one more failure. */
export const refillTime = ({ burst }: DailyBudget) => Math.floor(day / burst)

/** Key of the number of lockouts. */
export const lockoutCountKey = (key: string) => `${key}:pauses`
/** Key of the number of failures in the window, which lockouts do not reset. It decides whether a captcha is needed. */
export const failureCountKey = (key: string) => `${key}:failed`
export const keysOf = (counter: ThrottleCounter): string[] =>
  isDailyBudget(counter) ? [counter.key] : [counter.key, lockoutCountKey(counter.key), failureCountKey(counter.key)]

/** When the next try is allowed; undefined when it is allowed now. */
export const lockedUntil = (counter: ThrottleCounter, entry: Entry | undefined, now: number): number | undefined => {
  if (!entry) return undefined
  if (!isDailyBudget(counter)) return Number(entry.value) >= counter.limit ? entry.expiry : undefined
  // The expiry encodes the number of failures: each failure moves it forward by one refill time.
  const hasRoom = entry.expiry - refillTime(counter) * (counter.burst - 1)
  return hasRoom > now ? hasRoom : undefined
}
