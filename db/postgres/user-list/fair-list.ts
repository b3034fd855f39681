import { LRUCache } from 'lru-cache'
import type { UserList } from '../../user-list/index.js'
import type { RunFairly } from '../../lists/fair-limiter.js'

/** Filters and orders that count as known: paging on in them is no new search. */
const maxKnown = 1000

/**
 * Limits what a list that counts and skips rows may take of the server: users are served one after the other, and a filter or order that has not
 * been asked for lately counts as a list that is built.
 */
export const createFairList = (list: UserList, runFairly: RunFairly): UserList => {
  const known = new LRUCache<string, true>({ max: maxKnown })
  return {
    ...list,
    select(filter, order) {
      const selected = list.select(filter, order)
      const key = JSON.stringify([filter, order])
      return {
        ...selected,
        async page(page, asker) {
          const wait = known.has(key) ? undefined : asker.beginWaiting()
          try {
            const found = await runFairly(asker.userId, wait?.signal, async () => selected.page(page, asker))
            known.set(key, true)
            return found
          } finally {
            wait?.end()
          }
        },
      }
    },
  }
}
