import { sql, type Kysely } from 'kysely'
import type { Tables, UserTable } from '../tables.js'

/** Changes kept: who has missed more than these reads everything anew. */
const kept = 2000

type UserColumn = keyof UserTable

/** Each sign-in changes them. */
const signInColumns: readonly UserColumn[] = ['last_login_time', 'last_login_ip', 'login_count']
/** No list shows them or sorts by them. */
const unlistedColumns: readonly UserColumn[] = ['password_hash', 'password_time']

/**
 * A new column belongs to the account, so that forgetting it here costs a little time and never leaves a list wrong.
 */
const isOfAccount = (column: string) =>
  column !== 'id' && ![...signInColumns, ...unlistedColumns].some((other) => other === column)

/** What is written down: at which event, whose (0 is everybody's), and what of it has changed. */
const createTriggers = (
  userColumns: string[],
): [name: string, event: string, userId: string, kind: 'account' | 'sign_in' | 'roles' | 'names'][] => [
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

/** The triggers for the columns that `users` has now, by name. SQLite keeps the text of each as it is here. */
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

/**
 * Creates a short log of who has changed, written by triggers, so that no writer, of whichever process, can leave it
 * out. The user list follows it (see db/user-list/README.md).
 */
export const createUserChanges = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('user_changes')
    // Without AUTOINCREMENT: the newest row always stays, so that numbers grow by one and leave no gap.
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .execute()
  for (const trigger of (await triggersOf(db)).values()) await sql.raw(trigger).execute(db)
}

const outdated = async (db: Kysely<unknown>): Promise<[name: string, trigger: string][]> => {
  const objects = sql<{ type: string; name: string; sql: string }>`sqlite_schema`.as('objects')
  const rows = await db.selectFrom(objects).select(['name', 'sql']).where('type', '=', 'trigger').execute()
  const present = new Map(rows.map((row) => [row.name, row.sql]))
  return [...(await triggersOf(db))].filter(([name, trigger]) => present.get(name) !== trigger)
}

/** Makes those triggers anew that know other columns than the tables have. */
export const updateUserChanges = async (db: Kysely<Tables>): Promise<void> => {
  const untyped = db as unknown as Kysely<unknown>
  if ((await outdated(untyped)).length === 0) return
  await untyped.transaction().execute(async (transaction) => {
    for (const [name, trigger] of await outdated(transaction)) {
      await sql`drop trigger if exists ${sql.ref(name)}`.execute(transaction)
      await sql.raw(trigger).execute(transaction)
    }
  })
}
