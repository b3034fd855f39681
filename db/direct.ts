import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './tables.js'

/**
 * Runs a query at once, where that waits for nothing; undefined where it would have to wait. An engine inside the process
 * can do that, and a query then costs a fraction of what it costs by way of a dozen promises.
 */
export type RunDirectly = (query: CompiledQuery, isRead: boolean) => QueryResult<unknown> | undefined

/** What an engine can do at once, outside of transactions and inside. */
export interface Direct {
  outside: RunDirectly
  inside: RunDirectly
}

const engines = new WeakMap<Kysely<Tables>, Direct>()
const transactions = new WeakMap<Kysely<Tables>, RunDirectly>()

/** To be called for each database of an engine that can. */
export const offerDirect = (db: Kysely<Tables>, direct: Direct): void => void engines.set(db, direct)

/** How queries of `db`, a database or a transaction, may run at once. */
export const directOf = (db: Kysely<Tables>): RunDirectly | undefined =>
  transactions.get(db) ?? engines.get(db)?.outside

/** Like a transaction of `db` itself, and inside it queries may run at once. */
export const inTransaction = <T>(db: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (transaction) => {
    const inside = engines.get(db)?.inside
    if (inside) transactions.set(transaction, inside)
    try {
      return await work(transaction)
    } finally {
      // Whoever kept it is refused by Kysely from now on.
      transactions.delete(transaction)
    }
  })
