import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * When the token of a session was issued, and the device that the session is bound to. Existing sessions get the time
 * of their last activity, which a refresh sets, too.
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
