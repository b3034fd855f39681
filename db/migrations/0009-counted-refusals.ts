import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Equal refusals within one hour share one row, found by `refusal_key`, which is null for a success. */
export const countedRefusals: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('login_log')
      .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema.alterTable('login_log').addColumn('first_time', 'bigint').execute()
    await db.schema.alterTable('login_log').addColumn('refusal_key', 'text').execute()
    await db.schema.createIndex('login_log_by_refusal').on('login_log').column('refusal_key').unique().execute()
  },
}
