import type { GuestTables } from '../../db/guest-tables.js'
import { createClients } from './repositories/clients.js'
import { createEntries } from './repositories/entries.js'
import { createGrants } from './repositories/grants.js'

declare module '../../db/repositories/index.js' {
  interface GuestRepositories {
    providerClients: ReturnType<typeof createClients>
    providerEntries: ReturnType<typeof createEntries>
    providerGrants: ReturnType<typeof createGrants>
  }
}

/** An offline token outlives these ends of the session in which it was given. */
const outlived = ['logout', 'replaced']

export const tables: GuestTables = {
  migrations: () => ({
    '0001-applications': {
      async up(db) {
        await db.schema
          .createTable('provider_clients')
          .addColumn('id', 'text', (column) => column.primaryKey().notNull())
          .addColumn('tenant_id', 'integer', (column) => column.notNull().references('tenants.id'))
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('metadata', 'text', (column) => column.notNull())
          .addColumn('secret_hash', 'text')
          .addColumn('old_secret_hash', 'text')
          .addColumn('old_secret_expiry', 'bigint')
          .addColumn('last_error', 'text')
          .addColumn('last_error_time', 'bigint')
          .addColumn('create_time', 'bigint', (column) => column.notNull())
          .addColumn('update_time', 'bigint', (column) => column.notNull())
          .execute()
        await db.schema
          .createTable('provider_entries')
          .addColumn('id_hash', 'text', (column) => column.primaryKey().notNull())
          .addColumn('kind', 'text', (column) => column.notNull())
          .addColumn('payload', 'text', (column) => column.notNull())
          .addColumn('grant_id', 'text')
          .addColumn('client_id', 'text')
          .addColumn('user_id', 'integer', (column) => column.references('users.id').onDelete('cascade'))
          .addColumn('session_id', 'text')
          .addColumn('is_offline', 'integer', (column) => column.notNull().defaultTo(0))
          .addColumn('consumed_time', 'bigint')
          .addColumn('expiry', 'bigint', (column) => column.notNull())
          .execute()
        const index = (name: string, column: string) =>
          db.schema.createIndex(`provider_entries_${name}`).on('provider_entries').column(column).execute()
        await index('of_grant', 'grant_id')
        await index('of_session', 'session_id')
        await index('of_user', 'user_id')
        await index('by_expiry', 'expiry')
        await db.schema
          .createTable('provider_grants')
          .addColumn('id', 'text', (column) => column.primaryKey().notNull())
          .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
          .addColumn('client_id', 'text', (column) =>
            column.notNull().references('provider_clients.id').onDelete('cascade'),
          )
          .addColumn('session_id', 'text')
          .addColumn('sid', 'text')
          .addColumn('scopes', 'text', (column) => column.notNull())
          .addColumn('create_time', 'bigint', (column) => column.notNull())
          .addColumn('last_used_time', 'bigint', (column) => column.notNull())
          .addColumn('expiry', 'bigint', (column) => column.notNull())
          .execute()
        await db.schema
          .createIndex('provider_grants_of_session')
          .on('provider_grants')
          .columns(['session_id', 'client_id'])
          .unique()
          .execute()
        await db.schema.createIndex('provider_grants_of_user').on('provider_grants').column('user_id').execute()
        await db.schema.createIndex('provider_grants_by_expiry').on('provider_grants').column('expiry').execute()
      },
    },
  }),
  keeps: {
    provider_clients: { key: ['id'] },
    provider_entries: {
      key: ['id_hash'],
      ofUser: 'user_id',
      expires: { column: 'expiry' },
      encrypted: { column: 'payload', purposeOf: (id) => `provider entry ${id}` },
    },
    provider_grants: { key: ['id'], ofUser: 'user_id', expires: { column: 'expiry' } },
  },
  repositories: { providerClients: createClients, providerEntries: createEntries, providerGrants: createGrants },
  async onSessionEnd(db, ids, _now, reason) {
    // Thousands at once when a tenant is disabled: more than one statement takes as values.
    for (let start = 0; start < ids.length; start += 500) {
      let query = db.deleteFrom('provider_entries').where('session_id', 'in', ids.slice(start, start + 500))
      if (outlived.includes(reason)) query = query.where('is_offline', '=', 0)
      await query.execute()
    }
  },
}
