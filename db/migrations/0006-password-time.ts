import type { Kysely, Migration } from 'kysely'

/** Null for passwords from before: nobody knows when they were set. */
export const passwordTime: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('users').addColumn('password_time', 'bigint').execute()
  },
}
