import { ShareError } from '../outage.js'
import type { Slice } from './id-list.js'
import type { Limits } from './limits.js'
import type { Listing, ListingPlan } from './listing-sqlite.js'
import type { Found } from './plain-user-list.js'

/** A request that waits for a list. */
export interface Want extends PromiseWithResolvers<Found> {
  userId: number
  slice: Slice
  job: Job
}

/** A list to make, and who waits for it. */
export interface Job {
  listing: Listing
  plan: ListingPlan
  wants: Set<Want>
}

/**
 * The lists that wait to be made. The users who wait take turns, one list each: whoever asks for many lists waits for
 * them, and nobody else does. No request is refused because of those of others.
 */
export const createListQueue = ({ waitingPerUser }: Pick<Limits, 'waitingPerUser'>) => {
  const jobs = new Map<string, Job>()
  /** The requests of each user, in the order of the turns. */
  const users = new Map<number, Set<Want>>()

  const dequeue = (want: Want): void => {
    const wants = users.get(want.userId)
    wants?.delete(want)
    if (wants?.size === 0) users.delete(want.userId)
  }

  const remove = (job: Job): void => {
    if (jobs.get(job.listing.key) === job) jobs.delete(job.listing.key)
  }

  return {
    /** Adds a request at the end of those of its user. Throws a `ShareError` when too many of them wait already. */
    add(listing: Listing, slice: Slice, userId: number): Want {
      const wants = users.get(userId) ?? new Set()
      if (wants.size >= waitingPerUser) throw new ShareError('Too many lists of one user wait to be made', 1)
      // A list that is being made already may not know what was written just now: it is not joined.
      const job = jobs.get(listing.key) ?? { listing, plan: listing.prepare(), wants: new Set() }
      const want = { ...Promise.withResolvers<Found>(), userId, slice, job }
      jobs.set(listing.key, job)
      job.wants.add(want)
      users.set(userId, wants.add(want))
      return want
    },

    /** Takes a request out, whether its list still waits or is being made. */
    leave(want: Want): void {
      dequeue(want)
      want.job.wants.delete(want)
      if (want.job.wants.size === 0) remove(want.job)
    },

    /** Takes out the oldest list of the user whose turn it is. */
    next(): Job | undefined {
      const [turn] = users
      const [want] = turn?.[1] ?? []
      if (!turn || !want) return undefined
      const [userId, wants] = turn
      remove(want.job)
      for (const other of want.job.wants) dequeue(other)
      // Whoever has further lists comes after the others.
      if (users.delete(userId)) users.set(userId, wants)
      return want.job
    },

    /** Everybody who waits. */
    all: (): Want[] => [...users.values()].flatMap((wants) => [...wants]),
  }
}
