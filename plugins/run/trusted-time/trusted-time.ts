import type { Store } from '../../../db/repositories/store.js'
import type { Clock } from '../../../lib/clock.js'

/** A larger difference between elapsed system time and elapsed monotonic time is a clock jump. Milliseconds. */
const tolerance = 5 * 60_000
/** After a jump, the clock is trusted again after this time without another jump. Milliseconds. */
const probation = 3600_000
const key = 'trusted-time'
const forever = 1e15

interface Moment {
  /** Epoch milliseconds. */
  time: number
  /** Monotonic time, milliseconds: adjustments of the clock do not change it. */
  elapsed: number
}

const hasNoJump = (from: Moment, to: Moment): boolean =>
  Math.abs(to.time - from.time - (to.elapsed - from.elapsed)) <= tolerance

/**
 * Decides whether the system clock can be trusted for deleting expired data, so that a wrong clock does not delete data too
 * early. The clock is compared with the monotonic clock since the last trusted time of this process and, after a start,
 * with the last trusted time in the database or else the time of the newest row (`newest`). `onJump` is called once per
 * jump.
 */
export const createTrustedTime = (
  { clock, store, newest }: { clock: Clock; store: Store; newest: () => Promise<number | undefined> },
  onJump: (actual: number, expected: number) => void,
) => {
  let trusted: Moment | undefined
  let suspected: Moment | undefined

  const readClocks = (): Moment => {
    const time = clock.now()
    return { time, elapsed: clock.monotonic?.() ?? time }
  }

  const trust = async (moment: Moment): Promise<number> => {
    trusted = moment
    suspected = undefined
    await store.set(key, String(moment.time), forever)
    return moment.time
  }

  /** Stored by another process, an operator, or an earlier run. */
  const lastKnown = async (): Promise<number | undefined> => {
    const known = (await store.get(key)) ?? (await newest())
    return known === undefined ? undefined : Number(known)
  }

  return {
    lastKnown,

    /** The current time, epoch milliseconds; undefined while the clock is not trusted. */
    async now(): Promise<number | undefined> {
      const moment = readClocks()
      if (trusted && hasNoJump(trusted, moment)) return trust(moment)
      const known = await lastKnown()
      if (known === undefined || Math.abs(moment.time - known) <= tolerance) return trust(moment)
      if (!suspected || !hasNoJump(suspected, moment)) {
        suspected = moment
        onJump(moment.time, trusted ? trusted.time + moment.elapsed - trusted.elapsed : known)
      }
      return moment.elapsed - suspected.elapsed < probation ? undefined : trust(moment)
    },

    /**
     * An operator confirms that the clock is right. Resolves to its time. Other processes see this at their next call of
     * `now`.
     */
    confirm: (): Promise<number> => trust(readClocks()),
  }
}
