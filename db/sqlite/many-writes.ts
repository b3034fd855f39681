import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.js'

/** Pages that a transaction of 20,000 rows changes in all indexes of a million users. KiB. */
const cache = 256 * 1024

/**
 * Gives a command that writes many rows more memory. Without it SQLite writes the same pages again and again within a
 * transaction, and the undo log of a large statement to a temporary file.
 */
export const prepareManyWrites = async (db: Kysely<Tables>): Promise<void> => {
  await sql`pragma cache_size = ${sql.lit(-cache)}`.execute(db)
  await sql`pragma temp_store = memory`.execute(db)
}
