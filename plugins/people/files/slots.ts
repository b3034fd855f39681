import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { problem } from '../../../lib/problem.js'

/** How many tasks run at the same time: in all, and of the users of one tenant. `retryAfter` is in seconds. */
export interface SlotLimits {
  inAll: number
  inTenant: number
  retryAfter: number
}

/** Limits how many of some long tasks run at the same time. A tenant leaves places to others, and a user has one. */
export const createSlots = ({ inAll, inTenant, retryAfter }: SlotLimits) => {
  /** The tenants of the users who have a place. */
  const taken = new Map<number, number>()
  return {
    /**
     * Takes a place for a task of a user; the returned function gives it back. Throws `too_many_requests` while the user has
     * one, and `unavailable` while there is none.
     */
    take({ user: { id: userId }, tenant: { id: tenantId } }: Pick<SessionOwner, 'user' | 'tenant'>): () => void {
      if (taken.has(userId)) throw problem('too_many_requests', { retryAfter })
      const ofTenant = [...taken.values()].filter((id) => id === tenantId).length
      if (ofTenant >= inTenant || taken.size >= inAll) throw problem('unavailable', { retryAfter })
      taken.set(userId, tenantId)
      return () => void taken.delete(userId)
    },
  }
}

export type Slots = ReturnType<typeof createSlots>
