import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

/**
 * Changes by administrators, owners and commands. Names are copied and nothing is referenced, because a row outlives what
 * it tells of. The index of roles lets a change of a role find its users.
 */
export const auditTrail = ({ addId }: EngineSchema): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await addId(db.schema.createTable('audit_trail'))
      .addColumn('time', 'bigint', (column) => column.notNull())
      .addColumn('tenant_id', 'integer')
      .addColumn('actor_id', 'integer')
      .addColumn('actor_name', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('user_agent', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target_type', 'text', (column) => column.notNull())
      .addColumn('target_id', 'text', (column) => column.notNull())
      .addColumn('target_name', 'text', (column) => column.notNull())
      .addColumn('before_values', 'text')
      .addColumn('after_values', 'text')
      .execute()
    await db.schema.createIndex('audit_trail_by_time').on('audit_trail').columns(['time', 'id']).execute()
    await db.schema
      .createIndex('audit_trail_by_tenant')
      .on('audit_trail')
      .columns(['tenant_id', 'time', 'id'])
      .execute()
    await db.schema
      .createIndex('audit_trail_by_target')
      .on('audit_trail')
      .columns(['target_id', 'target_type'])
      .execute()
    await db.schema.createIndex('user_roles_by_role').on('user_roles').columns(['role_id', 'user_id']).execute()
  },
})
