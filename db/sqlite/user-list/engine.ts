import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { createFairLimiter } from '../../lists/fair-limiter.js'
import type { Tables } from '../../tables.js'
import type { ListEngine, MarkedList } from '../../user-list/engine.js'
import { cut, type Slice } from '../../user-list/id-list.js'
import type { Limits } from '../../user-list/index.js'
import type { Listing } from '../../user-list/listing.js'
import { openReader } from '../reader.js'
import { keepNamesIndexed } from './name-index.js'
import { createSearches } from './searches.js'
import { createSnapshots, type BuiltList } from './snapshots.js'
import type { ListOrder } from './list-thread.js'
import { createListStatements } from './statements.js'
import { createListThread } from './thread.js'
import { createTurnSnapshot } from './turn-snapshot.js'

/** A phone number or address belongs to one user of a tenant at most. */
const isOneRow = ({ filter: { phoneKey, email, tenantIds } }: Listing): boolean =>
  (phoneKey ?? email) !== undefined && tenantIds.length > 0

/**
 * Reads the user list from the file at `path` by connections of its own. `db` only compiles queries, and `shortLived` only writes the
 * index of names. A mark is the number of the latest change.
 */
export const openListEngine = (
  { db, shortLived }: Record<'db' | 'shortLived', Kysely<Tables>>,
  path: string,
  dataVersion: () => number,
  { maxRowsHere = 2000, maxUsersSearchedHere = 150_000, indexInterval = 1000 }: Limits = {},
): ListEngine<number> => {
  const statementsOf = createListStatements(db)
  const connection = openReader(path)
  const snapshots = createSnapshots(connection)
  const search = createSearches(snapshots, maxUsersSearchedHere)
  const thread = createListThread(path)
  const indexing = keepNamesIndexed(shortLived, snapshots, indexInterval)
  // Work that takes several turns of the event loop has one snapshot all the time.
  const follower = openReader(path)
  const followed = createSnapshots(follower)

  /** The latest change of the snapshot that is being read. Names in memory include it. */
  let latest = -1
  const { read, end } = createTurnSnapshot(connection, dataVersion, () => {
    const before = latest
    latest = snapshots.latestChange()
    if (latest !== before) snapshots.forgetNames()
  })

  /** Builds what takes a few milliseconds; undefined for the rest. */
  const buildHere = (listing: Listing, slice: Slice, base: MarkedList<number> | undefined): BuiltList | undefined => {
    const { all, found } = statementsOf(listing)
    if (isOneRow(listing) || snapshots.number('select max(id) from users') <= maxRowsHere)
      return snapshots.build(all, slice)
    const isCurrent = base && listing.base && snapshots.moved(base.mark, latest, listing.base)?.length === 0
    const ids = isCurrent && found && search(found, base.ids)
    return ids ? { mark: latest, ids, users: snapshots.page(cut(ids, slice)) } : undefined
  }

  const orderFor = (listing: Listing, slice: Slice, base: MarkedList<number> | undefined): ListOrder => {
    const { all, found, isSearch } = statementsOf(listing)
    if (isSearch || !found || !base || !listing.base) return { all, slice, within: undefined }
    return { all, slice, within: { found, ...base, movedBy: listing.base.movedBy } }
  }

  return {
    // Two: to build a list may bring the one that it is made from up to date.
    limiters: { build: createFairLimiter(1), follow: createFairLimiter(1) },
    version: () => read(() => latest),
    users: async (ids) => read(() => snapshots.users(ids)),

    read: async (mark, listing, ids) =>
      read(() => ({ mark: latest, moved: snapshots.moved(mark, latest, listing), users: snapshots.page(ids) })),

    async build(listing, slice, signal, current) {
      const base = listing.base && (await current(listing.base))
      signal.throwIfAborted()
      const built = read(() => buildHere(listing, slice, base))
      if (!built) return thread.build(orderFor(listing, slice, base), signal)
      // Lists that wait are built in other turns of the event loop.
      await setImmediate()
      return built
    },

    async inSnapshot(work) {
      follower.exec('begin')
      try {
        followed.forgetNames()
        return await work({
          async changesSince(mark, listing) {
            const now = followed.latestChange()
            return { mark: now, moved: followed.moved(mark, now, listing) }
          },
          inOrder: async (listing, ids, which) => followed.numbers(statementsOf(listing).among(ids, which)),
          users: async (ids) => followed.page(ids),
        })
      } finally {
        if (follower.inTransaction) follower.exec('commit')
      }
    },

    async close() {
      await Promise.all([thread.close(), indexing.close()])
      end()
      snapshots.close()
      followed.close()
    },
  }
}
