import { createIdList, intersect, positionsOf, type IdList } from '../../user-list/id-list.js'
import type { Asker, Limits } from '../../user-list/index.js'
import { unfinished, type IdLists } from './id-lists.js'
import type { SqliteListing } from './listing.js'
import type { LoopTime } from '../../lists/loop-time.js'
import { notIndexed } from './name-search.js'
import type { Snapshots } from './snapshots.js'

/** Users that a search on the main thread finds at most: to read 20,000 ids takes some 5 milliseconds. */
const maxFound = 20_000
/** Users whose names are not indexed, and are compared one by one. */
const maxNotIndexed = 500

/** Builds lists on the main thread where that takes a few milliseconds. */
export const createListsHere = (
  snapshots: Snapshots,
  lists: IdLists,
  loopTime: LoopTime,
  { maxRowsHere = 2000, maxUsersSearchedHere = 150_000 }: Limits,
) => {
  /** Of the list in which was searched last, as of the change `latest`. */
  let known: { list: IdList; latest: number; positions: Uint32Array } | undefined

  /** A list as of the change `latest`; undefined when it must be built in the thread; `unfinished` like `IdLists.find`. */
  return (listing: SqliteListing, latest: number, { beginWaiting }: Asker): IdList | typeof unfinished | undefined => {
    const { phoneKey, email, tenantIds } = listing.filter
    // A phone number or address belongs to one user of a tenant at most.
    const isOneRow = (phoneKey ?? email) !== undefined && tenantIds.length > 0
    const users = snapshots.number('select max(id) from users')
    if (isOneRow || users <= maxRowsHere) return createIdList(snapshots.numbers(listing.all()))
    if (!listing.search || users > maxUsersSearchedHere) return undefined
    // The list without the search has the order: no row is read, and nothing is sorted.
    const list = lists.find(listing.search.withoutIt, latest)
    if (!list || list === unfinished) return list
    const rest = snapshots.number(`select count(*) from (${notIndexed} limit ${maxNotIndexed + 1})`)
    if (rest > maxNotIndexed) return undefined
    if (!loopTime.begin()()) return unfinished
    // Counts as a list that is built.
    beginWaiting().end()
    const { sql, parameters } = listing.search.found
    const found = snapshots.numbers({ sql: `${sql} limit ${maxFound + 1}`, parameters })
    if (found.length > maxFound) return undefined
    if (known?.list !== list || known.latest !== latest) known = { list, latest, positions: positionsOf(list, users) }
    return intersect(list, known.positions, found)
  }
}
