import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

const addFlag = async (db: Kysely<unknown>, table: string, column: string): Promise<void> => {
  await db.schema
    .alterTable(table)
    .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
    .execute()
}

/** Tables of which each row belongs to a user and goes with it. */
const createTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('totp_secrets')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('encrypted_secret', 'text', (column) => column.notNull())
    .addColumn('last_step', 'bigint', (column) => column.notNull())
    .addColumn('create_time', 'bigint', (column) => column.notNull())
    .addColumn('last_used_time', 'bigint')
    .execute()
  await db.schema.createIndex('totp_secrets_of_user').on('totp_secrets').column('user_id').execute()
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('sign_count', 'bigint', (column) => column.notNull())
    .addColumn('backup_eligible', 'integer', (column) => column.notNull())
    .addColumn('backed_up', 'integer', (column) => column.notNull())
    .addColumn('user_verified', 'integer', (column) => column.notNull())
    .addColumn('discoverable', 'integer')
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('aaguid', 'text', (column) => column.notNull())
    .addColumn('rp_id', 'text', (column) => column.notNull())
    .addColumn('create_time', 'bigint', (column) => column.notNull())
    .addColumn('last_used_time', 'bigint')
    .execute()
  await db.schema.createIndex('passkeys_of_user').on('passkeys').column('user_id').execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('used_time', 'bigint')
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'code_hash'])
    .execute()
  await db.schema
    .createTable('trusted_devices')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('create_time', 'bigint', (column) => column.notNull())
    .addColumn('last_used_time', 'bigint')
    .addColumn('expiry', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('trusted_devices_of_user', ['user_id', 'device_id'])
    .execute()
  await db.schema.createIndex('trusted_devices_expiry').on('trusted_devices').column('expiry').execute()
  await db.schema
    .createTable('factor_states')
    .addColumn('user_id', 'integer', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('user_handle', 'text', (column) => column.unique())
    .addColumn('setup_deadline', 'bigint')
    .addColumn('exempt', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

/** What sessions, users, tenants and roles know of second factors. A session that exists was started by one factor at its beginning. */
export const secondFactors: Migration = {
  up: async (db: Kysely<unknown>) => {
    await createTables(db)
    await addFlag(db, 'users', 'has_second_factor')
    await addFlag(db, 'tenants', 'second_factor_required')
    await addFlag(db, 'roles', 'second_factor_required')
    await db.schema
      .alterTable('sessions')
      .addColumn('acr', 'text', (column) => column.notNull().defaultTo('aal1'))
      .execute()
    await db.schema
      .alterTable('sessions')
      .addColumn('amr', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable('sessions')
      .addColumn('auth_time', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('sessions').addColumn('factor_time', 'bigint').execute()
    await sql`update sessions set auth_time = create_time`.execute(db)
  },
}
