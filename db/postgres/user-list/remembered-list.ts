import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import { copyAll, cut } from '../../user-list/id-list.js'
import type { Asker, Found, UserList } from '../../user-list/index.js'
import { createListCache } from '../../user-list/list-cache.js'
import { createListing, type Listing } from '../../user-list/listing.js'
import type { Page } from '../../paging.js'
import { readChanges } from '../changes/changes-since.js'
import { movedUsers, moveUsers } from './moved-users.js'
import { readUsers } from './page-statement.js'
import { inSnapshot, type Narrow } from './plain-user-list.js'
import { readIds, type MarkedList } from './read-ids.js'
import { createSharedPages } from './shared-pages.js'
import { createFairLimiter, type RunFairly } from '../../lists/fair-limiter.js'

/** Where users are changed faster than a list can follow, the page is read without a list after this many tries. */
const maxTries = 4

/** Pages that are read at once, in a few statements. */
const maxPagesAtOnce = 32

const noPage: Page = { current: 1, size: 0, offset: 0 }

/** What a list says of a page: from one snapshot. */
interface Answer extends Found {
  list: MarkedList['list']
}

interface Parts {
  /** Answers where users change too fast. */
  plain: UserList
  narrow: Narrow
  listMemory: number | undefined
  /** Of those who let the server read or sort many users. */
  runFairly: RunFairly
  /** See `UserList.version`. */
  version: () => number | undefined
}

/**
 * Answers from lists of ids, which the log of changes keeps true (../../user-list/README.md). A page is one statement: its
 * users, and what has changed since the list was read. If users may have moved, a transaction with one snapshot places them and
 * reads the page again.
 */
export const createRememberedList = (
  db: Kysely<Tables>,
  { plain, narrow, listMemory, runFairly, version }: Parts,
): UserList => {
  const lists = createListCache<MarkedList>(listMemory)
  const readPage = createSharedPages(db)
  const runPage = createFairLimiter(maxPagesAtOnce)
  /** Lists that are being read or brought up to date, by key. */
  const working = new Map<string, Promise<unknown>>()

  /** Runs `work` unless it runs for this list already; then waits for that and resolves to undefined. */
  const alone = async <T>(key: string, work: () => Promise<T>): Promise<T | undefined> => {
    const running = working.get(key)
    if (running) {
      // Whoever runs it hears of a fault.
      await running.catch(() => undefined)
      return undefined
    }
    const promise = work().finally(() => working.delete(key))
    working.set(key, promise)
    return promise
  }

  const replace = (key: string, old: MarkedList, by: MarkedList | undefined) => {
    if (lists.peek(key) !== old) return
    if (by) lists.set(key, by)
    else lists.delete(key)
  }

  const read = async (listing: Listing, { userId, beginWaiting }: Asker) => {
    const { signal, end } = beginWaiting()
    const work = async () => void lists.set(listing.key, await readIds(db, narrow, listing))
    try {
      await runFairly(userId, signal, () => alone(listing.key, work))
    } finally {
      end()
    }
  }

  /** The page after the moved users have been placed. */
  const catchUp = (listing: Listing, known: MarkedList, page: Page): Promise<Answer | undefined> =>
    alone(listing.key, () =>
      inSnapshot(db, async (snapshot) => {
        const changes = await readChanges(snapshot, known.mark)
        const moved = movedUsers(changes, listing)
        const list = moved && (await moveUsers(snapshot, known.list, listing, moved))
        replace(listing.key, known, list && { list, mark: changes.mark })
        if (!list) return undefined
        const { ids, total } = cut(list, { page, isReversed: listing.isReversed })
        return { list, total, users: await readUsers(snapshot, ids, 'page') }
      }),
    )

  /** Undefined when users change too fast. */
  const find = async (listing: Listing, page: Page, asker: Asker): Promise<Answer | undefined> => {
    for (let tries = 0; tries < maxTries; tries++) {
      const known = lists.get(listing.key)
      if (!known) {
        await read(listing, asker)
        continue
      }
      const { list } = known
      const { ids, total } = cut(list, { page, isReversed: listing.isReversed })
      const { changes, users } = await runPage(asker.userId, undefined, () => readPage(known.mark, ids))
      const moved = movedUsers(changes, listing)
      if (moved?.length === 0) {
        replace(listing.key, known, { list, mark: changes.mark })
        return { list, total, users }
      }
      if (!moved) replace(listing.key, known, undefined)
      const answer = moved && (await runFairly(asker.userId, undefined, () => catchUp(listing, known, page)))
      if (answer) return answer
    }
    return undefined
  }

  return {
    select(filter, order) {
      const listing = createListing(filter, order)
      return {
        async page(page, asker) {
          // Taken before the page is read: if users change meanwhile, the page counts as outdated.
          const before = version()
          const answer = await find(listing, page, asker)
          if (!answer) return plain.select(filter, order).page(page, asker)
          const found = { users: answer.users, total: answer.total }
          return before === undefined ? found : { ...found, version: before }
        },
        async ids(asker) {
          const answer = await find(listing, noPage, asker)
          return answer ? copyAll(answer.list, listing.isReversed) : plain.select(filter, order).ids(asker)
        },
      }
    },
    users: (ids) => readUsers(db, ids, 'whole'),
    version,
    close: () => Promise.resolve(),
  }
}
