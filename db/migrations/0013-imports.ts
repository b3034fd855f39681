import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

/**
 * Imports that are kept as a whole or not at all, and the users they have added. The new index of sessions includes
 * ended ones, so that removing a user finds the sessions without reading all of them.
 */
export const imports = ({ addId }: EngineSchema): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await addId(db.schema.createTable('imports'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('renew_time', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('import_users')
      .addColumn('import_id', 'integer', (column) => column.notNull())
      .addColumn('user_id', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('import_users_key', ['import_id', 'user_id'])
      .execute()
    await db.schema
      .createIndex('sessions_by_user')
      .on('sessions')
      .columns(['user_id', 'end_time', 'user_client', 'create_time'])
      .execute()
    await db.schema.dropIndex('sessions_live_by_user').execute()
  },
})
