import type Sqlite from 'better-sqlite3'
import type { ListingPlan, Statement } from './listing-sqlite.js'

/** A number that two threads share: 1 while nobody waits for what the worker thread makes. */
export type Cancellation = Int32Array<SharedArrayBuffer>

export const createCancellation = (): Cancellation =>
  new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

export const setCancelled = (cancellation: Cancellation, isCancelled: boolean): void =>
  void Atomics.store(cancellation, 0, Number(isCancelled))

/** What the worker needs of a plan. */
export type WorkerPlan = Pick<ListingPlan, 'all' | 'candidates'>

/** Makes the query of a list one that throws soon after it has been cancelled. */
export const makeCancellable = (connection: Sqlite.Database, cancellation: Cancellation) => {
  connection.function('is_wanted', { deterministic: false }, () => {
    if (Atomics.load(cancellation, 0) === 1) throw new Error('Nobody waits for this list any more')
    return 1
  })
  return ({ all, candidates }: WorkerPlan): Statement => ({
    // SQLite looks at the number at every 1024th id: at each it would take twice the time.
    sql: `with users as not materialized (
      select users.* from ${candidates.sql} where users.id & 1023 <> 0 or is_wanted()) ${all.sql}`,
    parameters: [...candidates.parameters, ...all.parameters],
  })
}
