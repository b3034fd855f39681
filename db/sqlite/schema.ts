import { sql, type Kysely } from 'kysely'
import type { EngineSchema } from '../port.js'
import { addPlacesToNameIndex, createNameIndex } from './user-list/name-index.js'
import { createUserChanges, updateTriggers } from './user-list/user-changes.js'

export const sqliteSchema: EngineSchema = {
  // Without AUTOINCREMENT SQLite may use the id of a deleted row again.
  addId: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),

  createUserChanges,

  /** Without row ids, so that a write changes only the index and not a table beside it. */
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

  createNameIndex,
  addPlacesToNameIndex,

  // A write changes a number in the file, which costs almost nothing to read (version.ts).
  createChangeLog: async () => undefined,
  logChangesOf: async () => undefined,

  logGuestTable: async () => undefined,

  deriveFromColumns: (db) =>
    db.transaction().execute((transaction) => updateTriggers(transaction as unknown as Kysely<unknown>)),
}
