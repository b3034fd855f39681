import { sql, type Kysely } from 'kysely'
import type { UserTable } from '../../tables.js'
import { columnKinds, type MovingChange } from '../../user-list/listing.js'

/** Changes kept: a list that has missed more is built anew. */
const kept = 20_000
/** Old changes are deleted so many at a time: each deletion makes the commit one page larger. */
const deletedAtOnce = 64

/** Columns that the list neither shows nor sorts by. */
const unlistedColumns: readonly (keyof UserTable)[] = ['password_hash', 'password_time']

const ofOtherKinds: string[] = [...columnKinds.flatMap(([, columns]) => columns), ...unlistedColumns]

/** Some forms send all values of a user back: only those that are new count. */
const updateOf = (columns: string[]) =>
  `update of ${columns.join(', ')} on users when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')}`

/** The event, the user (0: all users) and what has changed. */
type Trigger = readonly [name: string, event: string, userId: string, kind: MovingChange]

const createTriggers = (userColumns: string[]): Trigger[] => [
  ['user_added', 'insert on users', 'new.id', 'account'],
  ['user_removed', 'delete on users', 'old.id', 'account'],
  ['user_renumbered', 'update of id on users', 'old.id', 'account'],
  ['user_changed', updateOf(userColumns.filter((column) => !ofOtherKinds.includes(column))), 'new.id', 'account'],
  ...columnKinds.map(([kind, columns]) => [`user_changed_${kind}`, updateOf(columns), 'new.id', kind] as const),
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
          delete from user_changes where seq <= last_insert_rowid() / ${deletedAtOnce} * ${deletedAtOnce} - ${kept};
        end`,
    ]),
  )
}

/** Of earlier versions. */
const formerTriggers = ['user_signed_in']

/** Creates the triggers that are missing or not as they should be, for example after a new column. */
export const updateTriggers = async (db: Kysely<unknown>): Promise<void> => {
  const objects = sql<{ type: string; name: string; sql: string }>`sqlite_schema`.as('objects')
  const rows = await db.selectFrom(objects).select(['name', 'sql']).where('type', '=', 'trigger').execute()
  for (const name of formerTriggers) await sql`drop trigger if exists ${sql.ref(name)}`.execute(db)
  const present = new Map(rows.map((row) => [row.name, row.sql]))
  for (const [name, trigger] of await triggersOf(db)) {
    if (present.get(name) === trigger) continue
    await sql`drop trigger if exists ${sql.ref(name)}`.execute(db)
    await sql.raw(trigger).execute(db)
  }
}

/**
 * Creates a log of changed users. Triggers write it, for writers in all processes. SQLite runs none for a row that `insert or replace`
 * removes: nothing here writes so.
 */
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
