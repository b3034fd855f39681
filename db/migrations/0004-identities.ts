import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

export const identities = ({ addId }: EngineSchema): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await addId(db.schema.createTable('identities'))
      .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('tenant_id', 'integer', (column) => column.notNull().references('tenants.id'))
      .addColumn('platform', 'text', (column) => column.notNull())
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('display_name', 'text')
      .addColumn('create_time', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('identities_unique', ['tenant_id', 'issuer', 'subject'])
      .execute()
    await db.schema.createIndex('identities_of_user').on('identities').column('user_id').execute()
  },
})
