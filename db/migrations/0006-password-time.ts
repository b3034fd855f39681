import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Null for passwords from before: nobody knows when they were set. */
export const passwordTime: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('users').addColumn('password_time', 'bigint').execute()
  },
}
