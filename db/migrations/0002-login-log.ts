import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

export const loginLog = ({ addId }: EngineSchema): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await addId(db.schema.createTable('login_log'))
      .addColumn('time', 'bigint', (column) => column.notNull())
      .addColumn('tenant_id', 'integer', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('user_id', 'integer')
      .addColumn('auth_type', 'text', (column) => column.notNull())
      .addColumn('user_client', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('user_agent', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .execute()
    await db.schema.createIndex('login_log_by_time').on('login_log').columns(['time', 'id']).execute()
  },
})
