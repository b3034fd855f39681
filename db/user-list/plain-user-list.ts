import type { Kysely } from 'kysely'
import type { MaybePromise } from '../../schemas/maybe-promise.js'
import type { Page } from '../paging.js'
import { createRoleRepository } from '../roles.js'
import type { Tables } from '../tables.js'
import { listedColumns, toListedUser, type ListedRow } from './listed-user.js'
import { joinTexts, type Renderer } from './renderer.js'
import { applyFilter, applyOrder, selectUsers, type UserFilter, type UserOrder } from './selection.js'

/** The texts of the users on a page, with commas between them, and how many the filter lets through: both of one moment. */
export interface Found {
  records: Buffer
  total: number
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
  /** A page as it is at the moment of the call or after it. Throws a `ShareError` when `asker` has asked for too much. */
  page(filter: UserFilter, order: UserOrder[], page: Page, asker: Asker): MaybePromise<Found>
  close(): Promise<void>
}

/** Counts and skips rows for each page: for engines and databases that remember nothing. */
export const createPlainUserList = (db: Kysely<Tables>, { render }: Renderer): UserList => ({
  page: (filter, order, page) =>
    db.transaction().execute(async (moment) => {
      const selection = applyFilter(selectUsers(moment), filter)
      const { total } = await selection.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      if (page.offset >= total) return { records: joinTexts([]), total }
      const onPage = applyOrder(selection, order).select('users.id').limit(page.size).offset(page.offset)
      const ids = (await onPage.execute()).map(({ id }) => id)
      const rows = await selectUsers(moment)
        .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
        .select([...listedColumns, 'tenants.tenant_name'])
        .where('users.id', 'in', ids)
        .execute()
      const roleKeys = await createRoleRepository(moment).keysOf(ids)
      const records = new Map(
        rows.map(({ tenant_name: tenantName, ...row }) => [
          row.id,
          Buffer.from(render(toListedUser(Object.values(row) as ListedRow, tenantName, roleKeys.get(row.id) ?? []))),
        ]),
      )
      return { records: joinTexts(ids.flatMap((id) => records.get(id) ?? [])), total }
    }),
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
})
