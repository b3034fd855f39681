import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { andThen, type MaybePromise } from '../../../schemas/maybe-promise.js'
import type { Tables } from '../../tables.js'
import { copyAll, type IdList } from '../../user-list/id-list.js'
import type { Asker, Limits, UserList } from '../../user-list/index.js'
import { openReader } from '../reader.js'
import { createIdLists, unfinished } from './id-lists.js'
import { createListBuilder } from './list-builder.js'
import { createListings, type SqliteListing } from './listing.js'
import { createListsHere } from './lists-here.js'
import { keepNamesIndexed } from './name-indexing.js'
import { createLoopTime } from '../../lists/loop-time.js'
import { createSnapshots } from './snapshots.js'
import { createTurnSnapshot } from './turn-snapshot.js'

/**
 * Answers from lists of ids (see ../../user-list/README.md). `db` only compiles queries and `shortLived` only writes the
 * index of names; everything else is read from a connection of its own to the file at `path`.
 */
export const createSqliteUserList = (
  { db, shortLived }: Record<'db' | 'shortLived', Kysely<Tables>>,
  path: string,
  version: () => number | undefined,
  limits: Limits = {},
): UserList => {
  const { catchUpTime = 12, indexInterval = 1000, listMemory } = limits
  const createListing = createListings(db)
  const connection = openReader(path)
  const snapshots = createSnapshots(connection)
  const loopTime = createLoopTime(catchUpTime)
  const lists = createIdLists(snapshots, listMemory, loopTime)
  const buildHere = createListsHere(snapshots, lists, loopTime, limits)
  const builder = createListBuilder(path, lists.keep)
  const stopIndexing = keepNamesIndexed(shortLived, snapshots, indexInterval)
  /** The latest change of the snapshot that is being read. Names in memory include it. */
  let latest = -1

  const catchUp = (): void => {
    const before = latest
    latest = snapshots.latestChange()
    if (latest !== before) snapshots.forgetNames()
  }

  const { read, end } = createTurnSnapshot(connection, version, catchUp)

  const find = (listing: SqliteListing, asker: Asker): IdList | typeof unfinished | undefined => {
    const known = lists.find(listing.key, latest)
    if (known) return known
    const list = buildHere(listing, latest, asker)
    if (list && list !== unfinished) lists.keep(listing, { list, latest })
    return list
  }

  /** What `use` reads from the list of `listing`, in one snapshot; undefined when that list must be built in the thread. */
  const readList = <T extends object>(
    listing: SqliteListing,
    asker: Asker,
    use: (list: IdList) => T,
  ): MaybePromise<T | undefined> => {
    const found = read(() => {
      const list = find(listing, asker)
      return list === unfinished ? list : list && use(list)
    })
    return found === unfinished ? setImmediate().then(() => readList(listing, asker, use)) : found
  }

  return {
    version: () => read(() => latest),

    select(filter, order) {
      const listing = createListing(filter, order)
      return {
        page(page, asker) {
          const slice = { isReversed: listing.isReversed, page }
          const found = readList(listing, asker, (list) => snapshots.find(list, slice, latest))
          return andThen(found, (known) => known ?? builder.take({ listing, slice, answer: (built) => built }, asker))
        },

        async ids(asker) {
          const copy = (list: IdList) => copyAll(list, listing.isReversed)
          const slice = { isReversed: listing.isReversed, page: { current: 1, size: 0, offset: 0 } }
          const known = await readList(listing, asker, copy)
          return known ?? builder.take({ listing, slice, answer: (_, list) => copy(list) }, asker)
        },
      }
    },

    users: (ids) => read(() => snapshots.users(ids)),

    async close() {
      await Promise.all([builder.close(), stopIndexing()])
      end()
      snapshots.close()
    },
  }
}
