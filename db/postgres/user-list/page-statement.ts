import { sql, type Kysely, type RawBuilder } from 'kysely'
import { compileQuery } from '../../query.js'
import { shownColumns, toShownUser, type ShownRow } from '../../repositories/user-rows.js'
import type { Tables } from '../../tables.js'
import type { ListedUser } from '../../user-list/index.js'
import { changesSinceEach, type Changes, type Mark } from '../changes/changes-since.js'

const columns = Object.values(shownColumns)

/**
 * Users as the server sends them: arrays of values, and each name once. Compared with an object for each user that contains the names, this
 * takes a quarter less time of the server, and half the time of the client.
 */
interface Sent {
  /** The values of `columns`, and the ids of the roles in their order. */
  users: [...values: unknown[], roleIds: number[]][]
  tenantNames: Record<number, string>
  roleKeys: Record<number, string>
}

/** An expression of type `Sent`: the users with these ids, an array as text, in any order. Those who do not exist are left out. */
const usersOf = (ids: string): RawBuilder<Sent> => {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  return sql`(
    with page as materialized (
      select ${names}, array(
          select role_id from user_roles where user_id = users.id order by role_id
        ) as role_ids
      from users where id = any(${ids}::bigint[]))
    select json_build_object(
      'users', (select coalesce(json_agg(json_build_array(${names}, role_ids)), '[]'::json) from page),
      'tenantNames', (select coalesce(json_object_agg(id, tenant_name), '{}'::json)
        from tenants where id in (select tenant_id from page)),
      'roleKeys', (select coalesce(json_object_agg(id, role_key), '{}'::json)
        from roles where id in (select unnest(role_ids) from page))))`
}

const emptyRow: Record<string, unknown> = Object.fromEntries(columns.map((column) => [column, null]))

/** Begins with a copy of an object that has all columns: adding them one by one to an empty one takes several times the memory. */
const toRow = (values: unknown[]): ShownRow => {
  const row = { ...emptyRow }
  for (let index = 0; index < columns.length; index++) row[columns[index] ?? ''] = values[index]
  return row as unknown as ShownRow
}

const readSent = ({ users, tenantNames, roleKeys }: Sent): Map<number, ListedUser> => {
  const byId = new Map<number, ListedUser>()
  for (const values of users) {
    const row = toRow(values)
    const keys = (values.at(-1) as number[]).map((id) => roleKeys[id] ?? '')
    byId.set(row.id, Object.assign(toShownUser(row), { tenantName: tenantNames[row.tenant_id] ?? '', roleKeys: keys }))
  }
  return byId
}

/** The users whom `ids` names, in their order. */
export const inOrder = (ids: number[], users: Map<number, ListedUser>): ListedUser[] =>
  ids.flatMap((id) => users.get(id) ?? [])

const toArray = (ids: number[]): string => `{${ids.join()}}`

// Lists of values as texts, so that one statement serves any number of them.
const selectPages = compileQuery((db, { marks, ids }: { marks: string; ids: string }) =>
  db.selectNoFrom([changesSinceEach(marks).as('changes'), usersOf(ids).as('sent')]),
)
const selectUsers = compileQuery((db, { ids }: { ids: string }) => db.selectNoFrom(usersOf(ids).as('sent')))

/**
 * The users with these ids, by id, and what has changed since each of `marks`, in their order: in one statement, so that all is of one
 * moment.
 */
export const readPages = async (
  db: Kysely<Tables>,
  marks: Mark[],
  ids: number[],
): Promise<{ mark: Mark; changed: Changes['changed'][]; users: Map<number, ListedUser> }> => {
  const [row] = await selectPages(db, { marks: JSON.stringify(marks), ids: toArray(ids) })
  if (!row) throw new Error('PostgreSQL did not answer with a row')
  return { ...row.changes, users: readSent(row.sent) }
}

/** A few users, in the order of `ids`. Those who do not exist are left out. */
export const readUsers = async (db: Kysely<Tables>, ids: number[]): Promise<ListedUser[]> => {
  const [row] = await selectUsers(db, { ids: toArray(ids) })
  return row ? inOrder(ids, readSent(row.sent)) : []
}
