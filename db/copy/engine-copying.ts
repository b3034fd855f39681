import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'

/** What an engine must offer to copy a whole database. */
export interface EngineCopying {
  /** Runs `work`, which reads all rows as they are at one moment. Other processes may write meanwhile. */
  read: <T>(work: (snapshot: Kysely<Tables>) => Promise<T>) => Promise<T>
  /** Runs `work` in one transaction, while no other process can read or write `tables`. Resolves when it is durable. */
  write: <T>(tables: readonly string[], work: (transaction: Kysely<Tables>) => Promise<T>) => Promise<T>
  /** By table: the highest id that has ever been given out, also to rows that no longer exist. */
  lastIds: (db: Kysely<Tables>) => Promise<Map<string, number>>
  /** Makes the next id of each table higher than the given one. */
  setLastIds: (db: Kysely<Tables>, lastIds: Map<string, number>) => Promise<void>
}
