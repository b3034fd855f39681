import { shownColumns } from '../repositories/user-rows.js'
import type { UserTable } from '../tables.js'
import type { UserFilter, UserOrder } from './selection.js'

type UserColumn = keyof UserTable

/**
 * The columns of a user by what a change of them can move: a list is sorted and filtered by columns of a few kinds, and needs
 * to know of no other change. All other columns are of the kind `account`, which moves a user in every list: forgetting a new
 * column here costs a little time and never makes a list wrong.
 */
export const columnsOfKinds = {
  name: ['username', 'username_key', 'real_name', 'real_name_key'],
  contact: ['phone', 'phone_key', 'email', 'email_key'],
  status: ['user_type', 'user_status'],
  profile: ['gender', 'avatar', 'force_password_change', 'remark', 'update_time'],
  sign_in: ['last_login_time', 'last_login_ip', 'login_count'],
} satisfies Record<string, UserColumn[]>

export type ColumnKind = keyof typeof columnsOfKinds
export const columnKinds = Object.entries(columnsOfKinds) as [ColumnKind, UserColumn[]][]

/** What may move a user in a list: a change of the `account` or of other columns, other `roles`, or other `names` of tenants and roles. */
export type MovingChange = ColumnKind | 'account' | 'roles' | 'names'

/** The list of ids that serves a filter and an order. */
export interface Listing {
  /** Equal for listings that share a list. */
  key: string
  filter: UserFilter
  /** The order of the list, which serves the opposite order, too. */
  order: UserOrder[]
  /** Whether the order that was asked for is the opposite one. */
  isReversed: boolean
  /** The kinds of changes that may move a user in the list. */
  movedBy: MovingChange[]
  /** The list without the search, or else without the role, in the same order; undefined where neither is asked for. */
  base: Listing | undefined
}

/** The kind of change that moves a user in an order by `column`. */
const kindOfOrder = ({ column }: UserOrder): MovingChange => {
  if (column === 'tenantName') return 'names'
  return columnKinds.find(([, columns]) => columns.includes(shownColumns[column]))?.[0] ?? 'account'
}

/** The kinds of changes that bring a user into a filter or out of it, by its fields. */
const kindsOfFilter: Record<keyof UserFilter, MovingChange[]> = {
  username: ['name'],
  realName: ['name'],
  keyword: ['name'],
  search: ['name'],
  searchPhoneKey: ['contact'],
  searchEmail: ['contact'],
  phoneKey: ['contact'],
  email: ['contact'],
  userStatus: ['status'],
  userType: ['status'],
  hasSecondFactor: ['account', 'status'],
  isInvited: ['account'],
  hasSignedIn: ['sign_in'],
  roleKey: ['roles', 'names'],
  tenantIds: ['account'],
  createTimeFrom: ['account'],
  createTimeTo: ['account'],
}

/** The kinds of changes that may move a user in a list. */
const kindsThatMove = (filter: UserFilter, order: UserOrder[]): MovingChange[] => {
  const fields = (Object.keys(filter) as (keyof UserFilter)[]).filter((field) => filter[field] !== undefined)
  return [
    ...new Set(['account' as const, ...fields.flatMap((field) => kindsOfFilter[field]), ...order.map(kindOfOrder)]),
  ]
}

const opposite = { asc: 'desc', desc: 'asc' } as const
const reverse = (order: UserOrder[]) =>
  order.map(({ column, direction }): UserOrder => ({ column, direction: opposite[direction] }))

const isSearch = ({ username, realName, keyword, search }: UserFilter): boolean =>
  (username ?? realName ?? keyword ?? search) !== undefined

const without = (filter: UserFilter, names: readonly (keyof UserFilter)[]): UserFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(([name]) => !names.includes(name as keyof UserFilter)),
  ) as unknown as UserFilter

/** The filter of the list from which the list of a filter can be taken. */
const baseOf = (filter: UserFilter): UserFilter | undefined => {
  if (isSearch(filter))
    return without(filter, ['username', 'realName', 'keyword', 'search', 'searchPhoneKey', 'searchEmail'])
  return filter.roleKey === undefined ? undefined : without(filter, ['roleKey'])
}

export const createListing = (filter: UserFilter, wanted: UserOrder[]): Listing => {
  const isReversed = wanted.at(-1)?.direction === 'desc'
  const order = isReversed ? reverse(wanted) : wanted
  const base = baseOf(filter)
  return {
    key: JSON.stringify([filter, order]),
    filter,
    order,
    isReversed,
    movedBy: kindsThatMove(filter, order),
    base: base && createListing(base, order),
  }
}
