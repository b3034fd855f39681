import { sql, type Kysely } from 'kysely'
import { OperatorError } from '../../lib/operator-error.js'
import type { EngineSchema } from '../port.js'
import { createChangeLog, logChangesOf, logGuestTable, updateTriggers } from './changes/triggers.js'
import { createNameIndex } from './user-list/name-grams.js'

/** What PostgreSQL calls it when a role may not do something. */
const insufficientPrivilege = '42501'

export const postgresSchema: EngineSchema = {
  // Kysely's `serial` would be an integer of 32 bits.
  addId: (table) =>
    table.addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().primaryKey().notNull()),

  // This engine has a log of another form (createChangeLog).
  createUserChanges: async () => undefined,

  // Rows are always beside their index here.
  clusterStore: async () => undefined,

  async createNameIndex(db: Kysely<unknown>) {
    await createNameIndex(db)
    // The list sorts absent values first, which PostgreSQL does only with indexes that say so.
    await sql`drop index users_by_age, users_by_tenant_and_age`.execute(db)
    await sql`create index users_by_age on users (create_time nulls first, id)`.execute(db)
    await sql`create index users_by_tenant_and_age on users (tenant_id, create_time nulls first, id)`.execute(db)
  },

  // The index of this engine has no places: the server compares the names that it finds.
  addPlacesToNameIndex: async () => undefined,

  createChangeLog,
  logChangesOf,
  logGuestTable,

  async deriveFromColumns(db) {
    try {
      await db.transaction().execute((transaction) => updateTriggers(transaction as unknown as Kysely<unknown>))
    } catch (error) {
      if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error
      throw new OperatorError(
        `The database has functions of another version of Rollcall, which only their owner may replace (${(error as Error).message}): start this version once as the owner.`,
        { cause: error },
      )
    }
  },
}
