import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which application a protected host is: one host has one. */
export const protectedHosts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('provider_hosts')
      .addColumn('host', 'text', (column) => column.primaryKey().notNull())
      .addColumn('client_id', 'text', (column) =>
        column.notNull().references('provider_clients.id').onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('provider_hosts_of_client').on('provider_hosts').column('client_id').execute()
  },
}
