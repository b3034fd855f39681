import { LRUCache } from 'lru-cache'
import { OverloadError } from '../../../db/errors.js'
import type { Clock } from '../../../lib/clock.js'
import { onAbort } from '../../../lib/on-abort.js'
import { problem } from '../../../lib/problem.js'

export interface ListLimits {
  /** Lists that are built or searched for one user in a minute: the setting `rateLimits.list`. */
  listsPerMinute: number
  /** Requests of one user that wait for lists. */
  waitingPerUser: number
  /** Milliseconds that a request waits for a list. */
  maxWait: number
}

/** A web page with several tables, or several open web pages, wait for a few lists at once. */
export const waits = { waitingPerUser: 6, maxWait: 15_000 }

const minute = 60_000
/** Users whose lists are counted at the same time. */
const maxCounted = 10_000

/** Limits the lists that are built or searched for one user, so that others need not wait for them. */
export const createListLimits = ({ listsPerMinute, waitingPerUser, maxWait }: ListLimits, clock: Clock) => {
  const counts = new LRUCache<number, { since: number; count: number }>({ max: maxCounted })
  const waiting = new Map<number, number>()

  const count = (userId: number): void => {
    const now = clock.now()
    const known = counts.get(userId)
    const current = known && now >= known.since && now < known.since + minute ? known : { since: now, count: 0 }
    const retryAfter = (current.since + minute - now) / 1000
    if (current.count >= listsPerMinute) throw problem('too_many_requests', { retryAfter })
    current.count++
    counts.set(userId, current)
  }

  const changeWaiting = (userId: number, by: number): void => {
    const now = (waiting.get(userId) ?? 0) + by
    if (now > 0) waiting.set(userId, now)
    else waiting.delete(userId)
  }

  /**
   * Begins the wait of a request for a list. Throws `too_many_requests` when too many of its user wait. `closed` is aborted
   * when the client closes the connection.
   */
  const wait = (userId: number, closed: AbortSignal): { signal: AbortSignal; end: () => void } => {
    if ((waiting.get(userId) ?? 0) >= waitingPerUser) throw problem('too_many_requests', { retryAfter: 1 })
    changeWaiting(userId, 1)
    const stopped = new AbortController()
    const timer = setTimeout(() => stopped.abort(new OverloadError('The list takes too long')), maxWait)
    // The client does not read this answer any more; it must only not be logged as an internal error.
    onAbort(closed, () => stopped.abort(problem('unavailable', { retryAfter: 1 })))
    const end = () => {
      clearTimeout(timer)
      changeWaiting(userId, -1)
    }
    return { signal: stopped.signal, end }
  }

  return {
    wait,
    /** Counts a list. Throws `too_many_requests` when its user has had too many in this minute. */
    count,
    /** Both. */
    beginWaiting: (userId: number, closed: AbortSignal) => {
      const begun = wait(userId, closed)
      try {
        // Last, so that a request that may not wait does not count.
        count(userId)
      } catch (error) {
        begun.end()
        throw error
      }
      return begun
    },
  }
}

export type Limits = ReturnType<typeof createListLimits>
export type BeginWaiting = Limits['beginWaiting']
