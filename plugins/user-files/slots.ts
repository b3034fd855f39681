import { problem } from '../../lib/problem.js'

/** Limits how many of some long tasks run at the same time, in all and for one user. */
export const createSlots = ({ inAll, retryAfter }: { inAll: number; retryAfter: number }) => {
  const users = new Set<number>()
  return {
    /**
     * Takes a place for a task of a user; the returned function gives it back. Throws `too_many_requests` while the user has
     * one, and `unavailable` while there is none.
     */
    take(userId: number): () => void {
      if (users.has(userId)) throw problem('too_many_requests', { retryAfter })
      if (users.size >= inAll) throw problem('unavailable', { retryAfter })
      users.add(userId)
      return () => void users.delete(userId)
    },
  }
}

export type Slots = ReturnType<typeof createSlots>
