import { sql, type Kysely } from 'kysely'
import { createUserRoles } from '../../repositories/user-roles.js'
import { columnsWithoutAvatar, listedAvatar, toShownUser } from '../../repositories/user-rows.js'
import type { Tables } from '../../tables.js'
import { createIdList } from '../../user-list/id-list.js'
import type { ListedUser, UserList } from '../../user-list/index.js'
import { applyOrder, selectUsers, type UserFilter, type UserSelection } from '../../user-list/selection.js'
import { applyFilter } from './apply-filter.js'

/** A few users, in the order of `ids`. Pages leave out long pictures. */
const selectListed = async (db: Kysely<Tables>, ids: number[], isPage: boolean): Promise<ListedUser[]> => {
  if (ids.length === 0) return []
  const avatar = isPage ? sql<string | null>`${sql.raw(listedAvatar)}` : sql<string | null>`users.avatar`
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

export const inSnapshot = <T>(db: Kysely<Tables>, work: (snapshot: Kysely<Tables>) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** Lets an index of the engine find the users whom a filter can mean. */
export type Narrow = (selection: UserSelection, filter: UserFilter) => UserSelection

/** Counts and skips rows for each page: for servers without a log of changes. */
export const createPlainUserList = (db: Kysely<Tables>, narrow: Narrow = (selection) => selection): UserList => ({
  select: (filter, order) => {
    const matching = (from: Kysely<Tables>) => narrow(applyFilter(selectUsers(from), filter), filter)
    const inOrder = (from: Kysely<Tables>) => applyOrder(matching(from), order).select('users.id')
    const toIds = (rows: { id: number }[]) => rows.map(({ id }) => id)
    return {
      page: (page) =>
        inSnapshot(db, async (snapshot) => {
          const count = matching(snapshot).select(({ fn }) => fn.countAll<number>().as('total'))
          const { total } = await count.executeTakeFirstOrThrow()
          if (page.offset >= total) return { users: [], total }
          const rows = await inOrder(snapshot).limit(page.size).offset(page.offset).execute()
          return { users: await selectListed(snapshot, toIds(rows), true), total }
        }),
      ids: async () => createIdList(toIds(await inOrder(db).execute())).ids,
    }
  },
  users: (ids) => selectListed(db, ids, false),
  version: () => undefined,
  close: () => Promise.resolve(),
})
