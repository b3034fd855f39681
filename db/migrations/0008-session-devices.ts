import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * When the token of a session was made, after which its predecessor works for a while only, and the device that a
 * session is bound to. For sessions that are there, their last activity is the best that is known: a refresh counts.
 */
export const sessionDevices: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('sessions')
      .addColumn('generation_time', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('sessions').addColumn('device_id', 'text').execute()
    await sql`update sessions set generation_time = last_active_time`.execute(db)
  },
}
