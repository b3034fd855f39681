import type { Kysely } from 'kysely'
import type { MaybePromise } from '../../schemas/maybe-promise.js'
import type { Page } from '../paging.js'
import { createRoleRepository } from '../repositories/roles.js'
import type { Tables } from '../tables.js'
import { listedColumns, toListedUser, type ListedUser } from './listed-user.js'
import { applyFilter, applyOrder, selectUsers, type UserFilter, type UserOrder } from './selection.js'

/** The users on a page and how many the filter lets through, both of one moment. */
export interface Found {
  users: ListedUser[]
  total: number
  /** The version of the list at that moment; undefined when that is not known. */
  version?: number
}

/** Who asks for a page. */
export interface Asker {
  userId: number
  /** Aborted when the answer is no longer waited for; called only when the list must be made first. */
  signal: () => AbortSignal
}

export interface UserList {
  /** Starts its thread, if it has one, before it is needed; resolves when it has loaded its code. */
  start(): Promise<void>
  /** Changes whenever an answer may change; undefined when only `page` can tell. */
  version(): number | undefined
  /** A page as it is at the moment of the call or after it. Throws a `ShareError` when `asker` has asked for too much. */
  page(filter: UserFilter, order: UserOrder[], page: Page, asker: Asker): MaybePromise<Found>
  close(): Promise<void>
}

/** Counts and skips rows for each page: for engines and databases that remember nothing. */
export const createPlainUserList = (db: Kysely<Tables>): UserList => ({
  page: (filter, order, page) =>
    db.transaction().execute(async (moment) => {
      const selection = applyFilter(selectUsers(moment), filter)
      const { total } = await selection.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      if (page.offset >= total) return { users: [], total }
      const rows = await applyOrder(selection, order)
        .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
        .select([...listedColumns, 'tenants.tenant_name'])
        .limit(page.size)
        .offset(page.offset)
        .execute()
      const roleKeys = await createRoleRepository(moment).keysOf(rows.map(({ id }) => id))
      return { users: rows.map((row) => toListedUser(row, row.tenant_name, roleKeys.get(row.id) ?? [])), total }
    }),
  version: () => undefined,
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
})
