import { LRUCache } from 'lru-cache'
import { insertId, removeId, type IdList } from '../../user-list/id-list.js'
import type { Listing, Queries } from './listing.js'
import type { Snapshots } from './snapshots.js'

/** A list and the latest change that it includes. */
export interface BuiltList {
  list: IdList
  latest: number
}

/** Bytes of an entry beside its ids. */
const overhead = 1000
/** Searches leave many short lists. Together they would take much more memory than their ids. */
const maxLists = 2000
/** Changed users that a list takes in at most; with more it is built anew. */
const maxChanged = 1000

const changedSince = `select distinct user_id from user_changes
  where seq > ? and kind in (select value from json_each(?)) limit ${maxChanged + 1}`

/** The lists of ids in memory. The least recently used one goes first. */
export const createIdLists = (snapshots: Snapshots, listMemory: number, catchUpTime: number) => {
  const lists = new LRUCache<string, BuiltList>({
    max: maxLists,
    maxSize: listMemory,
    sizeCalculation: ({ list }) => list.ids.byteLength + overhead,
  })

  /** The users who may have moved in the list since the change `latest`; undefined when they are unknown or too many. */
  const changedUsers = ({ movedBy }: Queries, latest: number): number[] | undefined => {
    if (snapshots.number('select min(seq) from user_changes') > latest + 1) return undefined
    const ids = snapshots.numbers({ sql: changedSince, parameters: [latest, JSON.stringify(movedBy)] })
    // 0 stands for a changed name of a tenant, which moves all its users.
    return ids.length > maxChanged || ids.includes(0) ? undefined : ids
  }

  /** Moves the changed users in `list`. When it returns false, the list is unusable. */
  const move = (list: IdList, queries: Queries, changed: number[]): boolean => {
    const deadline = performance.now() + catchUpTime
    // All are removed before any is inserted, because positions are searched for in an ordered list.
    for (const id of changed) {
      if (performance.now() > deadline) return false
      removeId(list, id)
    }
    const firstOfTwo = queries.firstOfTwo()
    const comesFirst = (one: number, other: number) => snapshots.number(firstOfTwo, one, other) === one
    for (const id of snapshots.numbers(queries.among(changed))) {
      if (performance.now() > deadline) return false
      insertId(list, id, comesFirst)
    }
    return true
  }

  return {
    keep: (listing: Listing, built: BuiltList) => void lists.set(listing.key, built),

    /** The list as of the change `latest`, in the snapshot that is being read; undefined when it must be built. */
    find(listing: Listing, latest: number): IdList | undefined {
      const found = lists.get(listing.key)
      if (!found || found.latest >= latest) return found?.list
      const { list } = found
      const queries = listing.queries()
      const changed = changedUsers(queries, found.latest)
      if (!changed || (changed.length > 0 && !move(list, queries, changed))) {
        lists.delete(listing.key)
        return undefined
      }
      lists.set(listing.key, { list, latest })
      return list
    },
  }
}
