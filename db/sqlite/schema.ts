import { sql, type Kysely } from 'kysely'
import type { EngineSchema } from '../engine.js'
import { createNameGrams } from './name-grams.js'
import { createUserChanges, updateUserChanges } from './user-changes.js'

export const sqliteSchema: EngineSchema = {
  // AUTOINCREMENT: otherwise SQLite numbers a new row like the last one that was deleted.
  addId: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),

  createUserChanges,

  /** Every sign-in writes to it three times: a table with row numbers would write to its index as well. */
  async clusterStore(db: Kysely<unknown>) {
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

  createNameGrams,

  deriveFromColumns: updateUserChanges,
}
