import { sql, type Kysely } from 'kysely'
import { createUserRoles } from '../../../db/repositories/user-roles.js'
import { columnsWithoutAvatar, listedAvatar, toShownUser } from '../../../db/repositories/user-rows.js'
import type { Tables } from '../../../db/tables.js'
import { createIdList } from '../../../db/user-list/id-list.js'
import type { ListedUser, UserList } from '../../../db/user-list/index.js'
import { applyCompared, applyOrder, selectUsers, toCompared } from '../../../db/user-list/selection.js'

/** A few users, in the order of `ids`, without long pictures. */
const selectListed = async (db: Kysely<Tables>, ids: number[]): Promise<ListedUser[]> => {
  if (ids.length === 0) return []
  const avatar = sql<string | null>`${sql.raw(listedAvatar)}`
  const rows = await selectUsers(db)
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select([...columnsWithoutAvatar, avatar.as('avatar'), 'tenants.tenant_name'])
    .where('users.id', 'in', ids)
    .execute()
  const roleKeys = await createUserRoles(db).keysOf(ids)
  const users = new Map(
    rows.map((row) => [
      row.id,
      { ...toShownUser(row), tenantName: row.tenant_name, roleKeys: roleKeys.get(row.id) ?? [] },
    ]),
  )
  return ids.flatMap((id) => users.get(id) ?? [])
}

const inSnapshot = <T>(db: Kysely<Tables>, work: (snapshot: Kysely<Tables>) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** The user list as it is without lists in memory: each page counts and skips rows. */
export const createPlainUserList = (db: Kysely<Tables>): Pick<UserList, 'select'> => ({
  select: (filter, order) => {
    const matching = (from: Kysely<Tables>) => applyCompared(selectUsers(from), toCompared(filter))
    const inOrder = (from: Kysely<Tables>) => applyOrder(matching(from), order).select('users.id')
    const toIds = (rows: { id: number }[]) => rows.map(({ id }) => id)
    return {
      page: (page) =>
        inSnapshot(db, async (snapshot) => {
          const count = matching(snapshot).select(({ fn }) => fn.countAll<number>().as('total'))
          const { total } = await count.executeTakeFirstOrThrow()
          if (page.offset >= total) return { users: [], total }
          const rows = await inOrder(snapshot).limit(page.size).offset(page.offset).execute()
          return { users: await selectListed(snapshot, toIds(rows)), total }
        }),
      ids: async () => createIdList(toIds(await inOrder(db).execute())),
    }
  },
})
