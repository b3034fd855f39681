import { openReader } from '../sqlite/reader.js'
import type { Engine } from '../engine.js'
import { createChangeFeed } from './changes-sqlite.js'
import { createIdList, cut, type IdList, type Slice } from './id-list.js'
import type { Limits } from './limits.js'
import { createListing, type Listing } from './listing-sqlite.js'
import type { Found, UserList } from './plain-user-list.js'
import { createNameIndexing } from './name-indexing.js'
import { createRememberedLists } from './remembered-lists.js'
import type { UserFilter } from './selection.js'
import { createSnapshots } from './snapshot-sqlite.js'
import { createWorkshop } from './workshop.js'

/**
 * Answers from remembered lists of ids, one for each filter and order: a page is a slice of its list, the total its
 * length (see README.md). `db` only writes the queries, `version` saves some of them; they run on connections of their own to the file at `path`.
 */
export const createSqliteUserList = (
  { db, shortLived, version }: Pick<Engine, 'db' | 'shortLived' | 'version'>,
  path: string,
  limits: Limits,
  now: () => number,
): UserList => {
  const connection = openReader(path)
  const snapshots = createSnapshots(connection)
  const feed = createChangeFeed(connection, version)
  const lists = createRememberedLists(snapshots, feed, limits)
  const workshop = createWorkshop(path, limits, now, lists.remember)
  const nameIndexing = createNameIndexing({ shortLived }, snapshots)
  const largestId = snapshots.prepareNumber('select max(id) from users')
  const tenantCount = snapshots.prepareNumber('select count(*) from tenants')

  /** How many rows the making of a list looks at, at most. */
  const reach = ({ phoneKey, email, tenantIds }: UserFilter): number => {
    if ((phoneKey ?? email) === undefined) return largestId() ?? 0
    return tenantIds.length > 0 ? 1 : (tenantCount() ?? 0)
  }

  /** Goes on to the snapshot that is being read. */
  const follow = (): void => {
    const changes = feed.advance()
    if (!changes || changes.some(({ kind }) => kind === 'names')) snapshots.forgetNames()
    if (!changes) lists.forget()
  }

  // The log of changes is short. Followed only when somebody asks, it would be lost between two questions.
  const follower = setInterval(() => {
    try {
      if (!feed.isCurrent()) snapshots.read(follow)
      nameIndexing.look()
    } catch {
      // A database that cannot be read now is followed later, or by the next question, which says so.
    }
  }, limits.followEvery).unref()

  const makeHere = (listing: Listing, filter: UserFilter): IdList | undefined => {
    if (reach(filter) > limits.fewRows) return undefined
    const plan = listing.prepare()
    const list = createIdList(snapshots.numbers(plan.all))
    lists.remember(listing, { list, plan, latest: feed.latest() })
    return list
  }

  const fromSnapshot = (listing: Listing, filter: UserFilter, slice: Slice): Found | undefined =>
    snapshots.read(() => {
      follow()
      const list = lists.current(listing) ?? makeHere(listing, filter)
      if (!list) return undefined
      const { ids, total } = cut(list, slice, snapshots.timeOf)
      return { users: snapshots.users(ids), total, version: feed.latest() }
    })

  return {
    start: () => workshop.start(),

    version: () => (feed.isCurrent() ? feed.latest() : undefined),

    page(filter, order, page, asker) {
      const listing = createListing(db, filter, order)
      const slice = { ...listing.slice, page }
      return fromSnapshot(listing, filter, slice) ?? workshop.take(listing, slice, asker)
    },

    async close() {
      clearInterval(follower)
      await Promise.all([workshop.close(), nameIndexing.close()])
      snapshots.close()
    },
  }
}
