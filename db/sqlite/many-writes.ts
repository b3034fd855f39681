import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.js'

/** Pages that a transaction of twenty thousand rows changes, spread over all indexes of a million users. KiB. */
const cache = 256 * 1024

/**
 * Gives this process the memory that a command needs which writes a great deal: without it SQLite writes pages before
 * their time, again and again, and what undoes a statement of many rows to a temporary file.
 */
export const prepareManyWrites = async (db: Kysely<Tables>): Promise<void> => {
  await sql`pragma cache_size = ${sql.lit(-cache)}`.execute(db)
  await sql`pragma temp_store = memory`.execute(db)
}
