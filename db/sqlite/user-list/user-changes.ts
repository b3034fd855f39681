import { sql, type Kysely } from 'kysely'
import type { UserTable } from '../../tables.js'

/** Changes kept: a list that has missed more is built anew. */
const kept = 20_000

/**
 * What has changed: the `account` of a user; only time, address and count of sign-ins; only the `roles`; or the `names`
 * of tenants and roles.
 */
export type ChangeKind = 'account' | 'sign_in' | 'roles' | 'names'

type UserColumn = keyof UserTable
export const signInColumns: readonly UserColumn[] = ['last_login_time', 'last_login_ip', 'login_count']
/** Columns that the list neither shows nor sorts by. */
const unlistedColumns: readonly UserColumn[] = ['password_hash', 'password_time']

/** A new column belongs to the account, so that forgetting it here costs a little time and never makes a list wrong. */
const isOfAccount = (column: string) =>
  column !== 'id' && ![...signInColumns, ...unlistedColumns].some((other) => other === column)

/** The triggers: the event, the user (0: all users) and what has changed. */
const createTriggers = (userColumns: string[]): [name: string, event: string, userId: string, kind: ChangeKind][] => [
  ['user_added', 'insert on users', 'new.id', 'account'],
  ['user_removed', 'delete on users', 'old.id', 'account'],
  ['user_renumbered', 'update of id on users', 'old.id', 'account'],
  ['user_changed', `update of id, ${userColumns.filter(isOfAccount).join(', ')} on users`, 'new.id', 'account'],
  ['user_signed_in', `update of ${signInColumns.join(', ')} on users`, 'new.id', 'sign_in'],
  ['user_role_assigned', 'insert on user_roles', 'new.user_id', 'roles'],
  ['user_role_removed', 'delete on user_roles', 'old.user_id', 'roles'],
  ['user_role_moved_from', 'update on user_roles', 'old.user_id', 'roles'],
  ['user_role_moved_to', 'update on user_roles', 'new.user_id', 'roles'],
  ['role_renamed', 'update of id, role_key on roles', '0', 'names'],
  ['role_removed', 'delete on roles', '0', 'names'],
  ['tenant_renamed', 'update of id, tenant_name, tenant_name_key on tenants', '0', 'names'],
]

/** The triggers for the columns that `users` has now, by name, in the text in which SQLite keeps them. */
const triggersOf = async (db: Kysely<unknown>): Promise<Map<string, string>> => {
  const columns = sql<{ cid: number; name: string }>`pragma_table_info('users')`.as('columns')
  const rows = await db.selectFrom(columns).select('name').orderBy('cid').execute()
  const triggers = createTriggers(rows.map(({ name }) => name))
  return new Map(
    triggers.map(([name, event, userId, kind]) => [
      name,
      `CREATE TRIGGER ${name} after ${event} begin
          insert into user_changes (user_id, kind) values (${userId}, '${kind}');
          delete from user_changes where seq <= last_insert_rowid() - ${kept};
        end`,
    ]),
  )
}

/** Creates the triggers that are missing or not as they should be, for example after a new column. */
export const updateTriggers = async (db: Kysely<unknown>): Promise<void> => {
  const objects = sql<{ type: string; name: string; sql: string }>`sqlite_schema`.as('objects')
  const rows = await db.selectFrom(objects).select(['name', 'sql']).where('type', '=', 'trigger').execute()
  const present = new Map(rows.map((row) => [row.name, row.sql]))
  for (const [name, trigger] of await triggersOf(db)) {
    if (present.get(name) === trigger) continue
    await sql`drop trigger if exists ${sql.ref(name)}`.execute(db)
    await sql.raw(trigger).execute(db)
  }
}

/** Creates a log of changed users. Triggers write it, so that no writer in any process can leave a change out. */
export const createUserChanges = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('user_changes')
    // Without AUTOINCREMENT: the newest row always stays, so that numbers grow by one and leave no gap.
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .execute()
  await updateTriggers(db)
}
