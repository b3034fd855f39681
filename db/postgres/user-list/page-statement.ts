import { sql, type Kysely, type RawBuilder } from 'kysely'
import { compileQuery } from '../../query.js'
import { listedColumns, toShownUser, type ShownRow } from '../../repositories/user-rows.js'
import type { Tables } from '../../tables.js'
import type { ListedUser } from '../../user-list/index.js'
import { changesSinceEach, type Changes, type Mark } from '../changes/changes-since.js'

type Row = ShownRow & { tenant_name: string; role_keys: string[] }

/** An expression: the users with these ids, an array as text, in this order. Those who do not exist are left out. */
const usersOf = (ids: string): RawBuilder<Row[]> => sql`coalesce((
  select json_agg(page order by place) from (
    select place, ${sql.join(listedColumns.map((column) => sql.ref(column)))}, tenant_name, array(
        select role_key from user_roles join roles on roles.id = role_id where user_id = users.id order by roles.id
      ) as role_keys
    from unnest(${ids}::bigint[]) with ordinality as wanted(wanted_id, place)
    join users on users.id = wanted_id join tenants on tenants.id = users.tenant_id
  ) as page), '[]'::json)`

const toListed = (row: Row): ListedUser => ({
  ...toShownUser(row),
  tenantName: row.tenant_name,
  roleKeys: row.role_keys,
})

const toArray = (ids: number[]): string => `{${ids.join()}}`

// Lists of values as texts, so that one statement serves any number of them.
const selectPages = compileQuery((db, { marks, ids }: { marks: string; ids: string }) =>
  db.selectNoFrom([changesSinceEach(marks).as('changes'), usersOf(ids).as('users')]),
)
const selectUsers = compileQuery((db, { ids }: { ids: string }) => db.selectNoFrom(usersOf(ids).as('users')))

/** The users with these ids, and what has changed since each of some marks: in one statement, so that all is of one moment. */
export const readPages = async (
  db: Kysely<Tables>,
  marks: Mark[],
  ids: number[],
): Promise<{ mark: Mark; changed: Changes['changed'][]; users: ListedUser[] }> => {
  const [row] = await selectPages(db, { marks: JSON.stringify(marks), ids: toArray(ids) })
  if (!row) throw new Error('PostgreSQL did not answer with a row')
  return { ...row.changes, users: row.users.map(toListed) }
}

export const readUsers = async (db: Kysely<Tables>, ids: number[]): Promise<ListedUser[]> => {
  const [row] = await selectUsers(db, { ids: toArray(ids) })
  return (row?.users ?? []).map(toListed)
}
