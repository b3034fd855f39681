import { LRUCache } from 'lru-cache'
import { catchUp } from './catch-up.js'
import type { ChangeFeed } from './changes-sqlite.js'
import { bytesOf, type IdList } from './id-list.js'
import type { Limits } from './limits.js'
import type { Listing, ListingPlan } from './listing-sqlite.js'
import type { Snapshots } from './snapshot-sqlite.js'

interface Remembered {
  list: IdList
  plan: ListingPlan
  /** The latest change that the list knows. */
  latest: number
}

/** Bytes of an entry beside its ids. */
const overhead = 1000

/** Lists of ids, kept true by the changes since they were made. */
export const createRememberedLists = (snapshots: Snapshots, feed: ChangeFeed, limits: Limits) => {
  const lists = new LRUCache<string, Remembered>({
    maxSize: limits.listMemory,
    sizeCalculation: ({ list }) => bytesOf(list) + overhead,
  })

  return {
    remember: (listing: Listing, remembered: Remembered) => lists.set(listing.key, remembered),

    forget: () => lists.clear(),

    /** The list as of the snapshot that is being read; undefined when it is unknown or too far behind. */
    current(listing: Listing): IdList | undefined {
      const found = lists.get(listing.key)
      if (!found) return undefined
      const { list, plan, latest } = found
      if (latest >= feed.latest()) return list
      const changes = feed.since(latest)
      const deadline = performance.now() + limits.catchUpTime
      if (!changes || !catchUp(list, plan, changes, snapshots, deadline)) {
        lists.delete(listing.key)
        return undefined
      }
      // Set again, because it may have grown.
      if (changes.length > 0) lists.set(listing.key, { list, plan, latest: feed.latest() })
      return list
    },
  }
}
