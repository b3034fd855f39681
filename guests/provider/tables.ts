import type { GuestTables } from '../../db/guest-tables.js'
import { documentsAndAges } from './migrations/0002-documents-and-ages.js'
import { protectedHosts } from './migrations/0003-protected-hosts.js'
import { createClients } from './repositories/clients.js'
import { createEntries } from './repositories/entries.js'
import { createConsents } from './repositories/consents.js'
import { createGrants } from './repositories/grants.js'
import { createLogouts } from './repositories/logouts.js'
import { createVisits } from './repositories/visits.js'

declare module '../../db/repositories/index.js' {
  interface GuestRepositories {
    providerClients: ReturnType<typeof createClients>
    providerEntries: ReturnType<typeof createEntries>
    providerGrants: ReturnType<typeof createGrants>
    providerConsents: ReturnType<typeof createConsents>
    providerLogouts: ReturnType<typeof createLogouts>
    providerVisits: ReturnType<typeof createVisits>
  }
}

export const tables: GuestTables = {
  migrations: (schema) => ({
    '0001-applications': {
      async up(db) {
        await db.schema
          .createTable('provider_clients')
          .addColumn('id', 'text', (column) => column.primaryKey().notNull())
          .addColumn('tenant_id', 'integer', (column) => column.notNull().references('tenants.id'))
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('metadata', 'text', (column) => column.notNull())
          .addColumn('logout_uri', 'text')
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
        await db.schema
          .createTable('provider_consents')
          .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
          .addColumn('client_id', 'text', (column) =>
            column.notNull().references('provider_clients.id').onDelete('cascade'),
          )
          .addColumn('scopes', 'text', (column) => column.notNull())
          .addColumn('create_time', 'bigint', (column) => column.notNull())
          .addColumn('last_used_time', 'bigint', (column) => column.notNull())
          .addPrimaryKeyConstraint('provider_consents_key', ['user_id', 'client_id'])
          .execute()
        await db.schema
          .createTable('provider_logouts')
          .addColumn('session_id', 'text', (column) => column.notNull())
          .addColumn('client_id', 'text', (column) => column.notNull())
          .addColumn('sid', 'text', (column) => column.notNull())
          .addColumn('user_id', 'integer', (column) => column.notNull())
          .addColumn('due_time', 'bigint', (column) => column.notNull())
          .addColumn('tries', 'integer', (column) => column.notNull())
          .addColumn('claimed_until', 'bigint', (column) => column.notNull())
          .addColumn('expiry', 'bigint', (column) => column.notNull())
          .addPrimaryKeyConstraint('provider_logouts_key', ['session_id', 'client_id'])
          .execute()
        await db.schema.createIndex('provider_logouts_due').on('provider_logouts').column('due_time').execute()
      },
    },
    '0002-documents-and-ages': documentsAndAges,
    '0003-protected-hosts': protectedHosts(schema),
  }),
  keeps: {
    provider_clients: { key: ['id'] },
    provider_hosts: { key: ['host'] },
    provider_visits: { key: ['id_hash'], ofUser: 'user_id', expires: { column: 'expiry' } },
    provider_entries: {
      key: ['id_hash'],
      ofUser: 'user_id',
      expires: { column: 'expiry' },
      encrypted: { column: 'payload', purposeOf: (id) => `provider entry ${id}` },
    },
    provider_grants: { key: ['id'], ofUser: 'user_id', expires: { column: 'expiry' } },
    provider_consents: { key: ['user_id', 'client_id'], ofUser: 'user_id' },
    provider_logouts: { key: ['session_id', 'client_id'], expires: { column: 'expiry' } },
  },
  repositories: {
    providerClients: createClients,
    providerEntries: createEntries,
    providerGrants: createGrants,
    providerConsents: createConsents,
    providerLogouts: createLogouts,
    providerVisits: createVisits,
  },
  onSessionEnd: (db, ended) => createLogouts(db).endSessions(ended),
}
