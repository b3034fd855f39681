import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import type { SortColumn } from '../../schemas/user.js'
import { escapeLike, fold } from '../fold.js'
import { shownColumns } from '../repositories/user-rows.js'
import type { Tables } from '../tables.js'

export interface UserFilter {
  /** Contained in the user name. */
  username?: string | undefined
  /** Contained in the real name. */
  realName?: string | undefined
  /** Contained in either. */
  keyword?: string | undefined
  /** E.164. */
  phoneKey?: string | undefined
  email?: string | undefined
  userStatus?: number | undefined
  userType?: number | undefined
  /** All of these must hold: the caller's own tenant and the one asked for. */
  tenantIds: number[]
  /** Epoch milliseconds, inclusive. */
  createTimeFrom?: number | undefined
  createTimeTo?: number | undefined
}

export interface UserOrder {
  column: SortColumn
  direction: 'asc' | 'desc'
}

const tenantNameKey = sql<string>`(select tenant_name_key from tenants where tenants.id = users.tenant_id)`

/** Names, numbers and addresses are sorted in the form in which they are compared. */
const sortColumnsOfUsers = {
  ...shownColumns,
  username: 'username_key',
  realName: 'real_name_key',
  phone: 'phone_key',
  email: 'email_key',
} as const

const sortExpression = (column: SortColumn) =>
  column === 'tenantName' ? tenantNameKey : (`users.${sortColumnsOfUsers[column]}` as const)

export type UserSelection<O = unknown> = SelectQueryBuilder<Tables, 'users', O>

const contains = (column: 'users.username_key' | 'users.real_name_key', text: string) =>
  sql<boolean>`${sql.ref(column)} like ${`%${escapeLike(fold(text))}%`} escape '\\'`

/** A number or address belongs to one user of each tenant: naming the tenants lets their unique indexes answer. */
const inSomeTenant = sql<boolean>`users.tenant_id in (select id from tenants)`

/** The one place that says whom a filter lets through. */
export const applyFilter = <O>(start: UserSelection<O>, filter: UserFilter): UserSelection<O> => {
  let query = start
  const { username, realName, keyword, phoneKey, email } = filter
  for (const tenantId of filter.tenantIds) query = query.where('users.tenant_id', '=', tenantId)
  if (username !== undefined) query = query.where(contains('users.username_key', username))
  if (realName !== undefined) query = query.where(contains('users.real_name_key', realName))
  if (keyword !== undefined) {
    query = query.where((either) =>
      either.or([contains('users.username_key', keyword), contains('users.real_name_key', keyword)]),
    )
  }
  if (phoneKey !== undefined) query = query.where('users.phone_key', '=', phoneKey)
  if (email !== undefined) query = query.where('users.email_key', '=', fold(email))
  if ((phoneKey ?? email) !== undefined && filter.tenantIds.length === 0) query = query.where(inSomeTenant)
  if (filter.userStatus !== undefined) query = query.where('users.user_status', '=', filter.userStatus)
  if (filter.userType !== undefined) query = query.where('users.user_type', '=', filter.userType)
  if (filter.createTimeFrom !== undefined) query = query.where('users.create_time', '>=', filter.createTimeFrom)
  if (filter.createTimeTo !== undefined) query = query.where('users.create_time', '<=', filter.createTimeTo)
  return query
}

/** The one place that says who comes before whom. A value that is absent sorts as the smallest, on every engine. */
export const applyOrder = <O>(start: UserSelection<O>, order: UserOrder[]): UserSelection<O> => {
  let query = start
  for (const { column, direction } of order) {
    query = query.orderBy(sortExpression(column), (item) =>
      direction === 'asc' ? item.asc().nullsFirst() : item.desc().nullsLast(),
    )
  }
  // Ties always by id, in the direction of the last column, so that one index serves both.
  return query.orderBy('users.id', order.at(-1)?.direction ?? 'asc')
}

export const selectUsers = (db: Kysely<Tables>) => db.selectFrom('users')
