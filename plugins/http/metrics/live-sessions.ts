import { setImmediate } from 'node:timers/promises'
import type { SessionRepository } from '../../../db/repositories/sessions.js'
import type { Clock } from '../../../lib/clock.js'
import { repeat } from '../../../lib/repeat.js'

/** Sessions read at a time, few enough that no request waits. */
const batchSize = 500
/** Milliseconds between two counts, at least. */
const minPause = 60_000
/** Counting takes at most one part in so many of the time. */
const share = 100

/**
 * Counts the live sessions in the background, in batches: sessions also end by the passage of time, so nothing can keep
 * their number up to date, and reading all of them at once would hold the event loop.
 */
export const createLiveSessions = (sessions: Pick<SessionRepository, 'countLive'>, clock: Clock) => {
  let count: number | undefined

  const countAll = async (signal: AbortSignal): Promise<number> => {
    const now = clock.now()
    let sum = 0
    let after: string | undefined = ''
    while (after !== undefined && !signal.aborted) {
      const batch: Awaited<ReturnType<typeof sessions.countLive>> = await sessions.countLive(after, batchSize, now)
      sum += batch.live
      after = batch.last
      await setImmediate()
    }
    return sum
  }

  let duration = 0
  const { close } = repeat(
    async (signal) => {
      const begin = performance.now()
      // While the database does not answer, the last count stays.
      count = await countAll(signal)
      duration = performance.now() - begin
    },
    { pause: () => Math.max(minPause, share * duration), beginsAtOnce: true },
  )
  return { current: () => count, close }
}
