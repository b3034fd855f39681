import { sql, type Kysely } from 'kysely'
import { createTogether } from '../../../lib/together.js'
import type { RunFairly } from '../../lists/fair-limiter.js'
import type { Tables } from '../../tables.js'
import type { PostgresTransactionSettings } from '../connection.js'
import type { RunInTransaction } from '../dialect.js'
import { maxMoved, type Changes, type ListEngine, type Moved } from '../../user-list/engine.js'
import { cut } from '../../user-list/id-list.js'
import type { Listing } from '../../user-list/listing.js'
import { applyCompared, applyOrder, selectUsers, toCompared } from '../../user-list/selection.js'
import { everybody } from '../changes/change-kinds.js'
import { readChanges, type AllChanges, type Mark } from '../changes/changes-since.js'
import { inOrderOf, readPages, readUsers } from './page-statement.js'
import { readIds } from './read-ids.js'

/**
 * Statements for pages that are under way at once; while they are, the next one collects pages. With four instead of two, 1.15 and 1.06
 * times as many pages were read a second (20 connections, service and server on a core each, measured alternately); eight were no faster.
 */
const statementsAtOnce = 4
/** Users that one statement reads, unless a page has more: reading the answer holds the event loop. */
const maxUsers = 100

/**
 * Ten million users are sorted for longer than other statements may take; who asks waits for 15 seconds at most. In 4 MB, the preset of the
 * server, it remembers in which pages of the table a search has found users only of some of these: it would read all users of the others
 * again and cut their names into parts, which took more than 200 seconds among ten million users instead of 4.
 */
const longBuild = { milliseconds: 60_000, kilobytes: 64 * 1024 }

/** Those of all changes that may move a user in a list. */
const toMoved = ({ changed }: AllChanges, { movedBy }: Listing): Moved => {
  if (!changed) return undefined
  const ids = new Set(movedBy.flatMap((kind) => changed[kind] ?? []))
  return ids.size > maxMoved || ids.has(everybody) ? undefined : [...ids]
}

const toChanges = (changes: AllChanges, listing: Listing): Changes<Mark> => ({
  mark: changes.mark,
  moved: toMoved(changes, listing),
})

const orderOf = async (db: Kysely<Tables>, { filter, order }: Listing, ids: number[], matching: boolean) => {
  const some = selectUsers(db).where(sql<boolean>`users.id = any(${ids}::bigint[])`)
  const users = matching ? applyCompared(some, toCompared(filter)) : some
  return (await applyOrder(users, order).select('users.id').execute()).map(({ id }) => id)
}

/** Reads the user list; `runFairly` is for those who let the server read or sort many users. A mark is what the server sees. */
export const openListEngine = (
  db: Kysely<Tables>,
  runInTransaction: RunInTransaction,
  runFairly: RunFairly,
  version: () => number | undefined,
): ListEngine<Mark> => {
  const inSnapshot = <T>(
    work: (snapshot: Kysely<Tables>) => Promise<T>,
    limits?: PostgresTransactionSettings['limits'],
  ): Promise<T> =>
    runInTransaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only', ...(limits && { limits }) })

  /** A statement for one page of ten users costs several times as much as its share of a common one. */
  const readPage = createTogether(
    async (wanted: { since: Mark; ids: number[] }[]) => {
      const marks = new Map(wanted.map(({ since }) => [since.snapshot + since.run, since]))
      const keys = [...marks.keys()]
      const { changes, users } = await readPages(
        db,
        [...marks.values()],
        [...new Set(wanted.flatMap(({ ids }) => ids))],
      )
      return wanted.map(({ since, ids }) => ({
        changes: changes[keys.indexOf(since.snapshot + since.run)],
        users: inOrderOf(ids, users),
      }))
    },
    { atOnce: statementsAtOnce, maxSize: maxUsers, sizeOf: ({ ids }) => Math.max(1, ids.length) },
  )

  return {
    limiters: { build: runFairly, follow: runFairly },
    version,
    users: (ids) => readUsers(db, ids, 'whole'),

    async read(since, listing, ids) {
      const { changes, users } = await readPage({ since, ids })
      if (!changes) throw new Error('PostgreSQL did not tell what has changed')
      return { ...toChanges(changes, listing), users }
    },

    build: (listing, slice) =>
      inSnapshot(async (snapshot) => {
        const built = await readIds(snapshot, listing)
        return { ...built, users: await readUsers(snapshot, cut(built.ids, slice), 'page') }
      }, longBuild),

    inSnapshot: (work) =>
      inSnapshot((snapshot) =>
        work({
          changesSince: async (mark, listing) => toChanges(await readChanges(snapshot, mark), listing),
          inOrder: (listing, ids, { matching }) => orderOf(snapshot, listing, ids, matching),
          users: (ids) => readUsers(snapshot, ids, 'page'),
        }),
      ),

    close: () => Promise.resolve(),
  }
}
