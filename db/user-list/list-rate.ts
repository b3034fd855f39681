import { LRUCache } from 'lru-cache'
import { ShareError } from '../outage.js'

const minute = 60_000
/** So many users are counted at once; more than these cannot ask for many lists in a minute. */
const maxUsers = 10_000

/** Counts the lists of each user, in steps of a minute that begin with the first of them. */
export const createListRate = (perMinute: number, now: () => number) => {
  const counts = new LRUCache<number, { since: number; count: number }>({ max: maxUsers })
  return {
    /** Counts one list. Throws a `ShareError` when it is one too many. */
    count(userId: number): void {
      const known = counts.get(userId)
      const isRecent = known && now() >= known.since && now() < known.since + minute
      const step = isRecent ? known : { since: now(), count: 0 }
      if (step.count >= perMinute) {
        throw new ShareError('Too many new lists for one user in a minute', (step.since + minute - now()) / 1000)
      }
      step.count++
      counts.set(userId, step)
    },
  }
}
