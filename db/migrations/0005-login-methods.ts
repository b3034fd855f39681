import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const loginMethods: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('disabled_login_methods')
      .addColumn('tenant_id', 'integer', (column) => column.notNull().references('tenants.id').onDelete('cascade'))
      .addColumn('auth_type', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('disabled_login_methods_key', ['tenant_id', 'auth_type'])
      .execute()
  },
}
