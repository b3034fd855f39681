import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

const accounts = async (db: Kysely<unknown>, { addId }: EngineSchema) => {
  await addId(db.schema.createTable('tenants'))
    .addColumn('tenant_name', 'text', (column) => column.notNull())
    .addColumn('tenant_name_key', 'text', (column) => column.notNull().unique())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('create_time', 'bigint', (column) => column.notNull())
    .addColumn('update_time', 'bigint', (column) => column.notNull())
    .execute()

  await addId(db.schema.createTable('users'))
    .addColumn('tenant_id', 'integer', (column) => column.notNull().references('tenants.id'))
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('username_key', 'text', (column) => column.notNull())
    .addColumn('real_name', 'text', (column) => column.notNull())
    .addColumn('real_name_key', 'text', (column) => column.notNull())
    .addColumn('user_type', 'integer', (column) => column.notNull())
    .addColumn('gender', 'integer', (column) => column.notNull())
    .addColumn('phone', 'text')
    .addColumn('phone_key', 'text')
    .addColumn('email', 'text')
    .addColumn('email_key', 'text')
    .addColumn('avatar', 'text')
    .addColumn('user_status', 'integer', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('force_password_change', 'integer', (column) => column.notNull())
    .addColumn('remark', 'text')
    .addColumn('last_login_time', 'bigint')
    .addColumn('last_login_ip', 'text')
    .addColumn('login_count', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('create_time', 'bigint', (column) => column.notNull())
    .addColumn('update_time', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('users_username_unique', ['tenant_id', 'username_key'])
    .addUniqueConstraint('users_phone_unique', ['tenant_id', 'phone_key'])
    .addUniqueConstraint('users_email_unique', ['tenant_id', 'email_key'])
    .execute()
  // For the default order of the user list, for all tenants and for one.
  await db.schema.createIndex('users_by_age').on('users').columns(['create_time', 'id']).execute()
  await db.schema
    .createIndex('users_by_tenant_and_age')
    .on('users')
    .columns(['tenant_id', 'create_time', 'id'])
    .execute()
}

const roles = async (db: Kysely<unknown>, { addId }: EngineSchema) => {
  await addId(db.schema.createTable('roles'))
    .addColumn('tenant_id', 'integer', (column) => column.notNull().references('tenants.id'))
    .addColumn('role_key', 'text', (column) => column.notNull())
    .addColumn('role_name', 'text', (column) => column.notNull())
    .addColumn('create_time', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('roles_key_unique', ['tenant_id', 'role_key'])
    .execute()

  await db.schema
    .createTable('role_permissions')
    .addColumn('role_id', 'integer', (column) => column.notNull().references('roles.id').onDelete('cascade'))
    .addColumn('permission', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('role_permissions_key', ['role_id', 'permission'])
    .execute()

  await db.schema
    .createTable('user_roles')
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role_id', 'integer', (column) => column.notNull().references('roles.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('user_roles_key', ['user_id', 'role_id'])
    .execute()
}

const sessions = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('tenant_id', 'integer', (column) => column.notNull().references('tenants.id'))
    .addColumn('user_client', 'text', (column) => column.notNull())
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('generation_used_time', 'bigint')
    .addColumn('previous_used_time', 'bigint')
    .addColumn('sealed_token', 'text')
    .addColumn('login_ip', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('create_time', 'bigint', (column) => column.notNull())
    .addColumn('last_active_time', 'bigint', (column) => column.notNull())
    .addColumn('idle_expiry', 'bigint', (column) => column.notNull())
    .addColumn('expiry', 'bigint', (column) => column.notNull())
    .addColumn('end_time', 'bigint')
    .addColumn('end_reason', 'text')
    .execute()
  await db.schema
    .createIndex('sessions_live_by_user')
    .on('sessions')
    .columns(['user_id', 'user_client', 'create_time'])
    .where(sql.ref('end_time'), 'is', null)
    .execute()
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expiry').execute()

  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('public_jwk', 'text', (column) => column.notNull())
    .addColumn('sealed_private_jwk', 'text', (column) => column.notNull())
    .addColumn('create_time', 'bigint', (column) => column.notNull())
    .addColumn('active_time', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('store')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('expiry', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('store_by_expiry').on('store').column('expiry').execute()
}

export const accountsAndSessions = (schema: EngineSchema): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await accounts(db, schema)
    await roles(db, schema)
    await sessions(db)
  },
})
