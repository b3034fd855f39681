import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the password was set; null for passwords that are older than this column. */
export const passwordTime: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('users').addColumn('password_time', 'bigint').execute()
  },
}
