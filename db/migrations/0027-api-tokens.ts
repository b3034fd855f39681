import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

/** What scripts and other services sign in with. */
export const apiTokens = (schema: EngineSchema): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('api_tokens')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('tenant_id', 'integer', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('start', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('permissions', 'text')
      .addColumn('addresses', 'text')
      .addColumn('acr', 'text', (column) => column.notNull())
      .addColumn('created_by', 'integer')
      .addColumn('create_time', 'bigint', (column) => column.notNull())
      .addColumn('expiry', 'bigint')
      .addColumn('last_used_time', 'bigint')
      .addColumn('last_used_ip', 'text')
      .addColumn('end_time', 'bigint')
      .addColumn('kept_until', 'bigint')
      .execute()
    await db.schema.createIndex('api_tokens_of_user').on('api_tokens').column('user_id').execute()
    await db.schema.createIndex('api_tokens_by_age').on('api_tokens').columns(['create_time', 'id']).execute()
    await db.schema.createIndex('api_tokens_kept_until').on('api_tokens').column('kept_until').execute()
    await schema.logChangesOf(db, 'api_tokens')
  },
})
