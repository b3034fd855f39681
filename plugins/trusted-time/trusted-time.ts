import type { Store } from '../../db/repositories/store.js'
import type { Clock } from '../../lib/clock.js'

/** Two clocks that differ by more have not gone on together. Milliseconds. */
const tolerance = 5 * 60_000
/** A time that nobody has confirmed is believed after so long without another jump. Milliseconds. */
const probation = 3600_000
const key = 'trusted-time'
const forever = 1e15

interface Moment {
  /** What the clock says, epoch milliseconds. */
  time: number
  /** Milliseconds that no adjustment of the clock changes. */
  elapsed: number
}

const isEven = (from: Moment, to: Moment): boolean =>
  Math.abs(to.time - from.time - (to.elapsed - from.elapsed)) <= tolerance

/**
 * Whether the clock may be believed when something is to be deleted for its age. It may, as long as it goes on evenly
 * with the monotonic clock since the last time that was believed, in this process or, after a start, in the database.
 * `newest` is the time of the newest row, where no time has been believed yet. `onJump` is told of each jump once.
 */
export const createTrustedTime = (
  { clock, store, newest }: { clock: Clock; store: Store; newest: () => Promise<number | undefined> },
  onJump: (says: number, expected: number) => void,
) => {
  let trusted: Moment | undefined
  let suspected: Moment | undefined

  const look = (): Moment => {
    const time = clock.now()
    return { time, elapsed: clock.monotonic?.() ?? time }
  }

  const believe = async (moment: Moment): Promise<number> => {
    trusted = moment
    suspected = undefined
    await store.set(key, String(moment.time), forever)
    return moment.time
  }

  return {
    /** The time by which things may be called old; undefined while the clock is not believed. */
    async now(): Promise<number | undefined> {
      const moment = look()
      if (trusted && isEven(trusted, moment)) return believe(moment)
      // Of another process, an operator, or the one before.
      const known = (await store.get(key)) ?? (await newest())
      if (known === undefined || Math.abs(moment.time - Number(known)) <= tolerance) return believe(moment)
      if (!suspected || !isEven(suspected, moment)) {
        suspected = moment
        onJump(moment.time, trusted ? trusted.time + moment.elapsed - trusted.elapsed : Number(known))
      }
      return moment.elapsed - suspected.elapsed < probation ? undefined : believe(moment)
    },

    /** An operator says that the clock is right; resolves to what it says. Other processes see it at their next look. */
    confirm: (): Promise<number> => believe(look()),
  }
}
