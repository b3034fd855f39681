import { createIdList, intersect, positionsOf, type IdList } from '../../user-list/id-list.js'
import type { Asker, Limits } from '../../user-list/index.js'
import { unfinished, type IdLists } from './id-lists.js'
import type { SqliteListing } from './listing.js'
import { searchIds } from './name-search.js'
import type { Snapshots } from './snapshots.js'

/** Users that a search on the main thread finds at most: to read 20,000 ids takes some 5 milliseconds. */
const maxFound = 20_000
/** Users whose names are not indexed, and are compared one by one. */
const maxNotIndexed = 500

/** Builds lists on the main thread where that takes a few milliseconds. */
export const createListsHere = (
  snapshots: Snapshots,
  lists: IdLists,
  { maxRowsHere = 2000, maxUsersSearchedHere = 200_000 }: Limits,
) => {
  /** Of the list in which was searched last, as of the change `latest`. */
  let known: { list: IdList; latest: number; positions: Uint32Array } | undefined

  const search = (listing: SqliteListing, match: string): number[] | undefined => {
    const found = snapshots.numbers({ sql: searchIds.indexed, parameters: [match, maxFound + 1] })
    const changed = snapshots.numbers({ sql: searchIds.notIndexed, parameters: [maxNotIndexed + 1] })
    if (found.length > maxFound || changed.length > maxNotIndexed) return undefined
    return changed.length > 0 ? [...found, ...snapshots.numbers(listing.among(changed))] : found
  }

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
    // Counts as a list that is built.
    beginWaiting().end()
    const found = search(listing, listing.search.match)
    if (!found) return undefined
    if (known?.list !== list || known.latest !== latest) known = { list, latest, positions: positionsOf(list, users) }
    return intersect(list, known.positions, found)
  }
}
