import type { Kysely } from 'kysely'
import { createRoleRepository } from '../repositories/roles.js'
import { listedColumns, toShownUser } from '../repositories/user-rows.js'
import type { Tables } from '../tables.js'
import type { UserList } from './index.js'
import { applyFilter, applyOrder, selectUsers } from './selection.js'

/** Counts and skips rows for each page: for databases in memory, and for engines without a log of changes. */
export const createPlainUserList = (db: Kysely<Tables>): UserList => ({
  page: (filter, order, page) =>
    db.transaction().execute(async (snapshot) => {
      const selection = applyFilter(selectUsers(snapshot), filter)
      const { total } = await selection.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      if (page.offset >= total) return { users: [], total }
      const rows = await applyOrder(selection, order)
        .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
        .select([...listedColumns, 'tenants.tenant_name'])
        .limit(page.size)
        .offset(page.offset)
        .execute()
      const roleKeys = await createRoleRepository(snapshot).keysOf(rows.map(({ id }) => id))
      const users = rows.map((row) => ({
        ...toShownUser(row),
        tenantName: row.tenant_name,
        roleKeys: roleKeys.get(row.id) ?? [],
      }))
      return { users, total }
    }),
  version: () => undefined,
  close: () => Promise.resolve(),
})
