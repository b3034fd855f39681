import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What people let applications do is kept for those that describe themselves, too, which are no rows: the tables without that reference. And
 * entries know when they were made, so that the oldest of a person can go.
 */
export const documentsAndAges: Migration = {
  async up(db: Kysely<unknown>) {
    const rebuild = async (table: string): Promise<void> => {
      await sql`insert into ${sql.table(`${table}_rebuilt`)} select * from ${sql.table(table)}`.execute(db)
      await db.schema.dropTable(table).execute()
      await db.schema.alterTable(`${table}_rebuilt`).renameTo(table).execute()
    }
    await db.schema
      .createTable('provider_grants_rebuilt')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text')
      .addColumn('sid', 'text')
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('create_time', 'bigint', (column) => column.notNull())
      .addColumn('last_used_time', 'bigint', (column) => column.notNull())
      .addColumn('expiry', 'bigint', (column) => column.notNull())
      .execute()
    await rebuild('provider_grants')
    await db.schema
      .createIndex('provider_grants_of_session')
      .on('provider_grants')
      .columns(['session_id', 'client_id'])
      .unique()
      .execute()
    await db.schema.createIndex('provider_grants_of_user').on('provider_grants').column('user_id').execute()
    await db.schema.createIndex('provider_grants_by_expiry').on('provider_grants').column('expiry').execute()
    await db.schema
      .createTable('provider_consents_rebuilt')
      .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('create_time', 'bigint', (column) => column.notNull())
      .addColumn('last_used_time', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('provider_consents_of_user', ['user_id', 'client_id'])
      .execute()
    await rebuild('provider_consents')
    await db.schema
      .alterTable('provider_entries')
      .addColumn('create_time', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.dropIndex('provider_entries_of_user').execute()
    await db.schema
      .createIndex('provider_entries_of_user')
      .on('provider_entries')
      .columns(['user_id', 'kind', 'create_time'])
      .execute()
  },
}
