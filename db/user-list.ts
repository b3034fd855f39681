import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import type { SortColumn } from '../schemas/user.js'
import { escapeLike, fold } from './fold.js'
import type { Page } from './paging.js'
import { createRoleRepository } from './roles.js'
import type { Tables } from './tables.js'
import { toUser, type User } from './users.js'

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

export interface ListedUser extends User {
  tenantName: string
  roleKeys: string[]
}

/** The one table of sortable columns: public name to SQL. */
const sortExpressions = {
  id: 'users.id',
  tenantId: 'users.tenant_id',
  tenantName: 'tenants.tenant_name_key',
  username: 'users.username_key',
  realName: 'users.real_name_key',
  userType: 'users.user_type',
  gender: 'users.gender',
  phone: 'users.phone_key',
  email: 'users.email_key',
  avatar: 'users.avatar',
  userStatus: 'users.user_status',
  forcePasswordChange: 'users.force_password_change',
  remark: 'users.remark',
  lastLoginTime: 'users.last_login_time',
  lastLoginIp: 'users.last_login_ip',
  loginCount: 'users.login_count',
  createTime: 'users.create_time',
  updateTime: 'users.update_time',
} as const satisfies Record<SortColumn, string>

type ListQuery<O> = SelectQueryBuilder<Tables, 'users' | 'tenants', O>

const contains = (column: 'users.username_key' | 'users.real_name_key', text: string) =>
  sql<boolean>`${sql.ref(column)} like ${`%${escapeLike(fold(text))}%`} escape '\\'`

const applyFilter = <O>(start: ListQuery<O>, filter: UserFilter): ListQuery<O> => {
  let query = start
  const { username, realName, keyword } = filter
  for (const tenantId of filter.tenantIds) query = query.where('users.tenant_id', '=', tenantId)
  if (username !== undefined) query = query.where(contains('users.username_key', username))
  if (realName !== undefined) query = query.where(contains('users.real_name_key', realName))
  if (keyword !== undefined) {
    query = query.where((either) =>
      either.or([contains('users.username_key', keyword), contains('users.real_name_key', keyword)]),
    )
  }
  if (filter.phoneKey !== undefined) query = query.where('users.phone_key', '=', filter.phoneKey)
  if (filter.email !== undefined) query = query.where('users.email_key', '=', fold(filter.email))
  if (filter.userStatus !== undefined) query = query.where('users.user_status', '=', filter.userStatus)
  if (filter.userType !== undefined) query = query.where('users.user_type', '=', filter.userType)
  if (filter.createTimeFrom !== undefined) query = query.where('users.create_time', '>=', filter.createTimeFrom)
  if (filter.createTimeTo !== undefined) query = query.where('users.create_time', '<=', filter.createTimeTo)
  return query
}

/** A value that is absent sorts as the smallest, on every engine. */
const orderBy = <O>(start: ListQuery<O>, order: UserOrder[]): ListQuery<O> => {
  let query = start
  for (const { column, direction } of order) {
    query = query.orderBy(sortExpressions[column], (item) =>
      direction === 'asc' ? item.asc().nullsFirst() : item.desc().nullsLast(),
    )
  }
  // Ties always by id, in the direction of the last column, so that one index serves both.
  return query.orderBy('users.id', order.at(-1)?.direction ?? 'asc')
}

export type UserListRepository = ReturnType<typeof createUserListRepository>

export const createUserListRepository = (db: Kysely<Tables>) => {
  const roles = createRoleRepository(db)
  const from = () => db.selectFrom('users').innerJoin('tenants', 'tenants.id', 'users.tenant_id')

  return {
    async count(filter: UserFilter): Promise<number> {
      const { total } = await applyFilter(from(), filter)
        .select((count) => count.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },

    async page(filter: UserFilter, order: UserOrder[], page: Page): Promise<ListedUser[]> {
      const rows = await orderBy(applyFilter(from(), filter), order)
        .selectAll('users')
        .select('tenants.tenant_name')
        .limit(page.size)
        .offset(page.offset)
        .execute()
      const roleKeys = await roles.keysOf(rows.map((row) => row.id))
      return rows.map((row) => ({
        ...toUser(row),
        tenantName: row.tenant_name,
        roleKeys: roleKeys.get(row.id) ?? [],
      }))
    },
  }
}
