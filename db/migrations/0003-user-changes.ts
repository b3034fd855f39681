import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Changes kept: who has missed more than these reads everything anew. */
const kept = 2000

const accountColumns = [
  'tenant_id',
  'username',
  'username_key',
  'real_name',
  'real_name_key',
  'user_type',
  'gender',
  'phone',
  'phone_key',
  'email',
  'email_key',
  'avatar',
  'user_status',
  'force_password_change',
  'remark',
  'create_time',
  'update_time',
]

/** What is written down: at which event, whose (0 is everybody's), and what of it has changed. */
const triggers: [name: string, event: string, userId: string, kind: 'account' | 'sign_in' | 'roles' | 'names'][] = [
  ['user_added', 'insert on users', 'new.id', 'account'],
  ['user_removed', 'delete on users', 'old.id', 'account'],
  ['user_renumbered', 'update of id on users', 'old.id', 'account'],
  ['user_changed', `update of id, ${accountColumns.join(', ')} on users`, 'new.id', 'account'],
  ['user_signed_in', 'update of last_login_time, last_login_ip, login_count on users', 'new.id', 'sign_in'],
  ['user_role_assigned', 'insert on user_roles', 'new.user_id', 'roles'],
  ['user_role_removed', 'delete on user_roles', 'old.user_id', 'roles'],
  ['user_role_moved_from', 'update on user_roles', 'old.user_id', 'roles'],
  ['user_role_moved_to', 'update on user_roles', 'new.user_id', 'roles'],
  ['role_renamed', 'update of id, role_key on roles', '0', 'names'],
  ['role_removed', 'delete on roles', '0', 'names'],
  ['tenant_renamed', 'update of id, tenant_name, tenant_name_key on tenants', '0', 'names'],
]

/**
 * A short log of who has changed, written by triggers, so that no writer, of whichever process, can leave it out. It
 * keeps what the user list remembers true (see db/user-list/README.md). Only SQLite has these triggers and needs them.
 */
export const userChanges: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('user_changes')
      // Without AUTOINCREMENT: the newest row always stays, so that numbers grow by one and leave no gap.
      .addColumn('seq', 'integer', (column) => column.primaryKey())
      .addColumn('user_id', 'integer', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .execute()
    for (const [name, event, userId, kind] of triggers) {
      await sql`
        create trigger ${sql.raw(name)} after ${sql.raw(event)} begin
          insert into user_changes (user_id, kind) values (${sql.raw(userId)}, ${sql.lit(kind)});
          delete from user_changes where seq <= last_insert_rowid() - ${sql.lit(kept)};
        end`.execute(db)
    }
  },
}
