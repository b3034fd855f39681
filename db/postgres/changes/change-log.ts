import { sql, type Kysely } from 'kysely'
import { columnKinds, type ColumnKind } from '../../user-list/listing.js'

/**
 * What has changed: columns of a user of one kind, or the `account`, which is everything else of a user; only what no list shows,
 * such as the `password`; the `roles` of a user; a `session` of a user; the `names` of tenants and roles; the `permissions` of a
 * role; or whether a tenant is enabled. The last three are written for all users.
 */
export type ChangeKind =
  ColumnKind | 'account' | 'password' | 'roles' | 'session' | 'names' | 'permissions' | 'tenant_enabled'

/** All that a page of the user list shows. */
export const listedKinds: ChangeKind[] = [...columnKinds.map(([kind]) => kind), 'account', 'roles', 'names']

/** The user id that stands for all users. */
export const everybody = 0

/** A statement that changes more rows than this is logged as a change of everybody. */
const maxRows = 2000

const kindsOfColumns: [ChangeKind, string[]][] = [...columnKinds, ['password', ['password_hash', 'password_time']]]
const quote = (names: string[]) => names.map((name) => `'${name}'`).join()
/** Rows are JSON, because a column may be missing that a later migration adds. */
const isChanged = (columns: string[]) => {
  const partOf = (row: string) => `row(${columns.map((column) => `${row} -> '${column}'`).join()})`
  return `${partOf('new_row')} is distinct from ${partOf('old_row')}`
}
const allOfKinds = `array[${quote(kindsOfColumns.flatMap(([, columns]) => columns))}]`

/**
 * A column that is added later belongs to the account: forgetting it here costs a little time and never makes anything wrong.
 */
const changedUsers = `
  select coalesce(new_id, old_id), kind
  from (select id as new_id, to_jsonb(new_rows) as new_row from new_rows) as new_users
  full join (select id as old_id, to_jsonb(old_rows) as old_row from old_rows) as old_users on old_id = new_id
  cross join lateral (values
    ${kindsOfColumns.map(([kind, columns]) => `('${kind}', ${isChanged(columns)}),`).join('\n    ')}
    ('account', new_row - ${allOfKinds} is distinct from old_row - ${allOfKinds})) as parts(kind, is_changed)
  where is_changed and (kind = 'account' or new_id = old_id)`

const changedTenants = `
  select ${everybody}, case
      when new_rows.tenant_name is distinct from old_rows.tenant_name then 'names'
      when new_rows.enabled is distinct from old_rows.enabled then 'tenant_enabled'
    end
  from new_rows full join old_rows on old_rows.id = new_rows.id`

const before = (column: string, kind: ChangeKind) => `select ${column}, '${kind}' from old_rows`
const after = (column: string, kind: ChangeKind) => `select ${column}, '${kind}' from new_rows`
const both = (column: string, kind: ChangeKind) => `${before(column, kind)} union all ${after(column, kind)}`
const all = String(everybody)

type Event = 'insert' | 'update' | 'delete'

/**
 * The triggers of each table: the kind of a change of very many rows, and for each event what it writes. A new session, role
 * or tenant changes nothing that could have been read before.
 */
const tables: [table: string, kind: ChangeKind, events: Partial<Record<Event, string>>][] = [
  ['users', 'account', { insert: after('id', 'account'), update: changedUsers, delete: before('id', 'account') }],
  [
    'user_roles',
    'roles',
    { insert: after('user_id', 'roles'), update: both('user_id', 'roles'), delete: before('user_id', 'roles') },
  ],
  ['sessions', 'session', { update: both('user_id', 'session'), delete: before('user_id', 'session') }],
  ['roles', 'names', { update: before(all, 'names'), delete: before(all, 'names') }],
  [
    'role_permissions',
    'permissions',
    { insert: after(all, 'permissions'), update: before(all, 'permissions'), delete: before(all, 'permissions') },
  ],
  ['tenants', 'names', { update: changedTenants, delete: before(all, 'names') }],
]

const transitionTables: Record<Event, string> = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
}

/** A trigger for each statement and not for each row, which would make large changes slow. */
const createTrigger = async (
  db: Kysely<unknown>,
  [table, kind]: [string, ChangeKind],
  event: Event,
  changes: string,
): Promise<void> => {
  const name = `log_${table}_${event}`
  const rows = event === 'delete' ? 'old_rows' : 'new_rows'
  // With the search path of the migration, because a writer may have another one.
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql set search_path from current as $$
      begin
        if (select count(*) > ${maxRows} from (select from ${rows} limit ${maxRows + 1}) as some_rows) then
          insert into user_changes (user_id, kind) values (${everybody}, '${kind}');
        else
          insert into user_changes (user_id, kind)
            select distinct user_id, kind from (${changes}) as changes(user_id, kind) where kind is not null;
        end if;
        return null;
      end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger ${name} after ${event} on ${table} referencing ${transitionTables[event]}
        for each statement execute function ${name}()`,
    )
    .execute(db)
}

const createTruncateTrigger = async (db: Kysely<unknown>, table: string, kind: ChangeKind): Promise<void> => {
  await sql
    .raw(
      `create trigger log_${table}_truncate after truncate on ${table}
        for each statement execute function log_truncate('${kind}')`,
    )
    .execute(db)
}

/**
 * Whether the server numbers transactions and can tell which of them a snapshot sees. Others that speak its protocol cannot, or
 * have functions of these names that mean nothing.
 */
const numbersTransactions = async (db: Kysely<unknown>): Promise<boolean> => {
  const { rows } = await sql<{ can: boolean }>`
    select version() like 'PostgreSQL %' and version() not like '%-YB-%'
      and to_regprocedure('pg_visible_in_snapshot(xid8,pg_snapshot)') is not null as can`.execute(db)
  return rows[0]?.can === true
}

/**
 * Creates a log of what has changed, with the transactions that changed it. Triggers write it, so that no writer in any process
 * can leave a change out. Where the server does not number transactions, there is no log.
 */
export const createChangeLog = async (db: Kysely<unknown>): Promise<void> => {
  if (!(await numbersTransactions(db))) return
  await sql`create table user_changes (
    xid xid8 not null default pg_current_xact_id(), user_id bigint not null, kind text collate "C" not null)`.execute(
    db,
  )
  await sql`create index user_changes_by_xid on user_changes (xid)`.execute(db)
  await sql`create function log_truncate() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into user_changes (user_id, kind) values (0, tg_argv[0]);
      return null;
    end $$`.execute(db)
  for (const [table, kind, events] of tables) {
    for (const [event, changes] of Object.entries(events) as [Event, string][]) {
      await createTrigger(db, [table, kind], event, changes)
    }
    await createTruncateTrigger(db, table, kind)
  }
}
