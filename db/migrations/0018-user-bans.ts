import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Users who may not sign in until a time: one row for each, which goes with the user. */
export const userBans: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('user_bans')
      .addColumn('user_id', 'integer', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('expiry', 'bigint', (column) => column.notNull())
      .addColumn('reason', 'text')
      .execute()
  },
}
