import { sql, type Kysely, type RawBuilder } from 'kysely'
import { listedColumns, toShownUser, type ShownRow } from '../../repositories/user-rows.js'
import type { Tables } from '../../tables.js'
import type { ListedUser } from '../../user-list/index.js'
import { changesSince, type Changes, type Mark } from '../changes/changes-since.js'

type Row = ShownRow & { tenant_name: string; role_keys: string[] }

/** An expression: the users with these ids, in this order. Those who do not exist are left out. */
const usersOf = (ids: number[]): RawBuilder<Row[]> => sql`coalesce((
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

/** The users with these ids, and what has changed since a mark: in one statement, so that both are of one moment. */
export const readPage = async (
  db: Kysely<Tables>,
  since: Mark,
  ids: number[],
): Promise<{ changes: Changes; users: ListedUser[] }> => {
  const { changes, users } = await db
    .selectNoFrom([changesSince(since).as('changes'), usersOf(ids).as('users')])
    .executeTakeFirstOrThrow()
  return { changes, users: users.map(toListed) }
}

export const readUsers = async (db: Kysely<Tables>, ids: number[]): Promise<ListedUser[]> => {
  const { users } = await db.selectNoFrom(usersOf(ids).as('users')).executeTakeFirstOrThrow()
  return users.map(toListed)
}
