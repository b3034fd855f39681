import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../../../db/port.js'

/** Which application a protected host is: one host has one. And which browsers have come from the sign-in to it. */
export const protectedHosts = (schema: EngineSchema): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('provider_hosts')
      .addColumn('host', 'text', (column) => column.primaryKey().notNull())
      .addColumn('client_id', 'text', (column) =>
        column.notNull().references('provider_clients.id').onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('provider_hosts_of_client').on('provider_hosts').column('client_id').execute()
    await db.schema
      .createTable('provider_visits')
      .addColumn('id_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('client_id', 'text', (column) =>
        column.notNull().references('provider_clients.id').onDelete('cascade'),
      )
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('grant_id', 'text', (column) => column.notNull())
      .addColumn('create_time', 'bigint', (column) => column.notNull())
      .addColumn('expiry', 'bigint', (column) => column.notNull())
      .execute()
    for (const column of ['user_id', 'client_id', 'grant_id', 'expiry'])
      await db.schema.createIndex(`provider_visits_by_${column}`).on('provider_visits').column(column).execute()
    // What a cookie of a host stands for is cached.
    await schema.logGuestTable(db, 'provider_visits', 'user_id')
    for (const table of ['provider_hosts', 'provider_clients']) await schema.logGuestTable(db, table)
  },
})
