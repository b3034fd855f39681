import type { IdList, Slice } from '../../user-list/id-list.js'
import type { Found } from '../../user-list/index.js'
import type { SqliteListing } from './listing.js'

/** A request that waits for a list. */
export interface Want extends PromiseWithResolvers<Found> {
  userId: number
  listing: SqliteListing
  slice: Slice
  /** Called with the whole list when it has been built. It must copy what it keeps: the list changes later. */
  onBuilt?: ((list: IdList) => void) | undefined
}

/** Requests that wait for lists. Their users take turns: a user who asks for many lists delays nobody else. */
export const createListQueue = () => {
  /** The requests of each user, in the order of the turns. */
  const waiting = new Map<number, Want[]>()
  const all = () => [...waiting.values()].flat()

  const remove = (want: Want): void => {
    const rest = (waiting.get(want.userId) ?? []).filter((other) => other !== want)
    if (rest.length > 0) waiting.set(want.userId, rest)
    else waiting.delete(want.userId)
  }

  return {
    all,
    remove,

    add(asked: Pick<Want, 'userId' | 'listing' | 'slice' | 'onBuilt'>): Want {
      const { userId } = asked
      const want = { ...Promise.withResolvers<Found>(), ...asked }
      waiting.set(userId, [...(waiting.get(userId) ?? []), want])
      return want
    },

    /** Removes the first request of the user whose turn it is, and all others that wait for the same list. */
    next(): Want[] {
      const [first] = waiting.values().next().value ?? []
      if (!first) return []
      const wants = all().filter(({ listing }) => listing.key === first.listing.key)
      for (const want of wants) remove(want)
      // The user comes after all others.
      const rest = waiting.get(first.userId)
      if (rest && waiting.delete(first.userId)) waiting.set(first.userId, rest)
      return wants
    },
  }
}
