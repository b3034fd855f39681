import { sql, type Kysely } from 'kysely'
import { columnKinds } from '../../user-list/listing.js'
import type { TenantTable } from '../../tables.js'
import { everybody, type ChangeKind } from './change-kinds.js'

/** A statement that changes more rows than this is logged as a change of everybody. */
const maxRows = 2000

const kindsOfColumns: [ChangeKind, string[]][] = [...columnKinds, ['password', ['password_hash', 'password_time']]]
const ofKinds = kindsOfColumns.flatMap(([, columns]) => columns)
/** What pages and session checks read of a tenant. */
const kindsOfTenants: [ChangeKind, (keyof TenantTable)[]][] = [
  ['names', ['tenant_name', 'tenant_name_key']],
  ['tenant', ['enabled', 'second_factor_required']],
]

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
/** Compares texts where columns may be of types that have no equality, such as `json`. */
const isChanged = (columns: string[], type = '') => {
  const partOf = (row: string) => `row(${columns.map((column) => `${row}.${quote(column)}${type}`).join()})`
  return `${partOf('new_rows')} is distinct from ${partOf('old_rows')}`
}

/** `columns` are those of `users`. One that no kind names, such as one that a later migration adds, belongs to the account. */
const changedUsers = (columns: string[]) => `
  select coalesce(new_rows.id, old_rows.id), parts.kind
  from new_rows full join old_rows on old_rows.id = new_rows.id
  cross join lateral (values
    ${kindsOfColumns.map(([kind, columns]) => `('${kind}', ${isChanged(columns)}),`).join('\n    ')}
    ('account', ${isChanged(
      columns.filter((column) => !ofKinds.includes(column)),
      '::text',
    )})) as parts(kind, is_changed)
  where parts.is_changed and (parts.kind = 'account' or new_rows.id = old_rows.id)`

const changedTenants = `
  select ${everybody}, parts.kind
  from new_rows full join old_rows on old_rows.id = new_rows.id
  cross join lateral (values
    ${kindsOfTenants.map(([kind, columns]) => `('${kind}', ${isChanged(columns)})`).join(',\n    ')}) as parts(kind, is_changed)
  where parts.is_changed`

const before = (column: string, kind: ChangeKind) => `select ${column}, '${kind}' from old_rows`
const after = (column: string, kind: ChangeKind) => `select ${column}, '${kind}' from new_rows`
const both = (column: string, kind: ChangeKind) => `${before(column, kind)} union all ${after(column, kind)}`
const all = String(everybody)

type Event = 'insert' | 'update' | 'delete'

type TableTriggers = [table: string, kind: ChangeKind, events: Partial<Record<Event, string>>]

/**
 * The triggers of each table: the kind of a change of very many rows, and for each event what it writes. A new session, role
 * or tenant changes nothing that could have been read before.
 */
const triggersFor = (userColumns: string[]): TableTriggers[] => [
  [
    'users',
    'account',
    { insert: after('id', 'account'), update: changedUsers(userColumns), delete: before('id', 'account') },
  ],
  [
    'user_roles',
    'roles',
    { insert: after('user_id', 'roles'), update: both('user_id', 'roles'), delete: before('user_id', 'roles') },
  ],
  ['sessions', 'session', { update: both('user_id', 'session'), delete: before('user_id', 'session') }],
  ['api_tokens', 'session', { update: both('user_id', 'session'), delete: before('user_id', 'session') }],
  [
    'verified_contacts',
    'session',
    { insert: after('user_id', 'session'), update: both('user_id', 'session'), delete: before('user_id', 'session') },
  ],
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

const nameOf = (table: string, event: Event) => `log_${table}_${event}`

/** What a trigger runs. */
const bodyOf = (kind: ChangeKind, event: Event, changes: string) => {
  const rows = event === 'delete' ? 'old_rows' : 'new_rows'
  return `
      begin
        if (select count(*) > ${maxRows} from (select from ${rows} limit ${maxRows + 1}) as some_rows) then
          insert into user_changes (user_id, kind) values (${everybody}, '${kind}');
        else
          insert into user_changes (user_id, kind)
            select distinct user_id, kind from (${changes}) as changes(user_id, kind) where kind is not null;
        end if;
        return null;
      end `
}

/** With the search path of the migration, because a writer may have another one. */
const setFunction = async (db: Kysely<unknown>, name: string, body: string): Promise<void> => {
  await sql
    .raw(
      `create or replace function ${name}() returns trigger language plpgsql set search_path from current as $$${body}$$`,
    )
    .execute(db)
}

/** A trigger for each statement and not for each row, which would make large changes slow. */
const createTrigger = async (db: Kysely<unknown>, table: string, event: Event): Promise<void> => {
  const name = nameOf(table, event)
  await sql
    .raw(
      `create trigger ${name} after ${event} on ${table} referencing ${transitionTables[event]}
        for each statement execute function ${name}()`,
    )
    .execute(db)
}

/** The functions of all triggers, for the columns that `users` has now. They are in the schema of that table, quoted where it must be. */
const functionsOf = async (
  db: Kysely<unknown>,
): Promise<{ schema: string; functions: { table: string; event: Event; body: string }[] }> => {
  const { rows } = await sql<{ name: string; schema: string }>`
    select attname as name, relnamespace::regnamespace::text as schema
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attrelid = 'users'::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db)
  const [first] = rows
  if (!first) throw new Error('The table of users has no columns')
  const triggers = triggersFor(rows.map(({ name }) => name))
  const functions = triggers.flatMap(([table, kind, events]) =>
    (Object.entries(events) as [Event, string][]).map(([event, changes]) => ({
      table,
      event,
      body: bodyOf(kind, event, changes),
    })),
  )
  return { schema: first.schema, functions }
}

const createTruncateTrigger = async (db: Kysely<unknown>, table: string, kind: ChangeKind): Promise<void> => {
  await sql
    .raw(
      `create trigger log_${table}_truncate after truncate on ${table}
        for each statement execute function log_truncate('${kind}')`,
    )
    .execute(db)
}

/** Tables that a later migration adds to the log (`logChangesOf`). */
const later = ['api_tokens', 'verified_contacts']

const logTables = async (db: Kysely<unknown>, isLogged: (table: string) => boolean): Promise<void> => {
  const { schema, functions } = await functionsOf(db)
  for (const { table, event, body } of functions) {
    if (!isLogged(table)) continue
    await setFunction(db, `${schema}.${nameOf(table, event)}`, body)
    await createTrigger(db, table, event)
  }
  for (const [table, kind] of triggersFor([])) if (isLogged(table)) await createTruncateTrigger(db, table, kind)
}

export const logChangesOf = (db: Kysely<unknown>, table: string): Promise<void> =>
  logTables(db, (name) => name === table)

/** Logs the changes of a table of a guest: as those of a session of the user in this column, or without one of all users. */
export const logGuestTable = async (db: Kysely<unknown>, table: string, userColumn?: string): Promise<void> => {
  const { schema } = await functionsOf(db)
  const rows: Record<Event, string> = { insert: 'new_rows', update: 'old_rows', delete: 'old_rows' }
  for (const event of ['insert', 'update', 'delete'] as const) {
    const changes = `select ${userColumn ?? all}, 'session' from ${rows[event]}`
    await setFunction(db, `${schema}.${nameOf(table, event)}`, bodyOf('session', event, changes))
    await createTrigger(db, table, event)
  }
  await createTruncateTrigger(db, table, 'session')
}

/**
 * Creates a log of what has changed, with the transactions that changed it. Triggers write it, so that no writer in any process
 * can leave a change out.
 */
export const createChangeLog = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table user_changes (
    xid xid8 not null default pg_current_xact_id(), user_id bigint not null, kind text collate "C" not null)`.execute(
    db,
  )
  await sql`create index user_changes_by_xid on user_changes (xid)`.execute(db)
  await sql`create function log_truncate() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into user_changes (user_id, kind) values (${sql.lit(everybody)}, tg_argv[0]);
      return null;
    end $$`.execute(db)
  await logTables(db, (table) => !later.includes(table))
}

/** The number of the advisory lock of `updateTriggers`: PostgreSQL refuses to replace one function twice at the same time. */
const update = 5_282_017_004

/**
 * Replaces the functions that are not as they should be, for example after a migration that has added a column. Where there is no
 * log, there are none.
 */
export const updateTriggers = async (transaction: Kysely<unknown>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${update}::bigint)`.execute(transaction)
  const { schema, functions } = await functionsOf(transaction)
  const { rows } = await sql<{ name: string; body: string }>`
    select proname as name, prosrc as body from pg_proc where pronamespace = ${schema}::regnamespace`.execute(
    transaction,
  )
  const present = new Map(rows.map(({ name, body }) => [name, body]))
  for (const { table, event, body } of functions) {
    const name = nameOf(table, event)
    if (present.has(name) && present.get(name) !== body) await setFunction(transaction, `${schema}.${name}`, body)
  }
}
