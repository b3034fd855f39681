import { sql, SqliteAdapter, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Short-lived state lies in the tree of its keys instead of beside it, which every sign-in writes to three times. Other
 * engines have no such tables.
 */
export const storeInItsKey: Migration = {
  up: async (db: Kysely<unknown>) => {
    if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
    await db.schema
      .createTable('store_in_its_key')
      .addColumn('key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('expiry', 'bigint', (column) => column.notNull())
      .modifyEnd(sql`without rowid`)
      .execute()
    await sql`insert into store_in_its_key (key, value, expiry) select key, value, expiry from store`.execute(db)
    await db.schema.dropTable('store').execute()
    await db.schema.alterTable('store_in_its_key').renameTo('store').execute()
    await db.schema.createIndex('store_by_expiry').on('store').column('expiry').execute()
  },
}
