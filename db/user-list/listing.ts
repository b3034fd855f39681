import { shownColumns } from '../repositories/user-rows.js'
import type { UserTable } from '../tables.js'
import type { Slice } from './id-list.js'
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

/** What may move a user in a list: a change of the `account` or of other columns, or other `names` of tenants. */
export type MovingChange = ColumnKind | 'account' | 'names'

/** A filter and an order, as a list of ids and a part of it. */
export interface Listing {
  /** Equal for listings that share a list. */
  key: string
  /** One list also serves the opposite order and, when ordered by creation time, all ranges of creation times. */
  slice: Omit<Slice, 'page'>
  /** Filter and order of the list. */
  filter: UserFilter
  order: UserOrder[]
  /** The kinds of changes that may move a user in the list. */
  movedBy: MovingChange[]
}

/** The kind of change that moves a user in an order by `column`. */
const kindOfOrder = ({ column }: UserOrder): MovingChange => {
  if (column === 'tenantName') return 'names'
  return columnKinds.find(([, columns]) => columns.includes(shownColumns[column]))?.[0] ?? 'account'
}

/** The kinds of changes that bring a user into a filter or out of it, by its fields. */
const kindsOfFilter: Record<keyof UserFilter, MovingChange> = {
  username: 'name',
  realName: 'name',
  keyword: 'name',
  phoneKey: 'contact',
  email: 'contact',
  userStatus: 'status',
  userType: 'status',
  tenantIds: 'account',
  createTimeFrom: 'account',
  createTimeTo: 'account',
}

/** The kinds of changes that may move a user in a list. */
const kindsThatMove = (filter: UserFilter, order: UserOrder[]): MovingChange[] => {
  const fields = (Object.keys(filter) as (keyof UserFilter)[]).filter((field) => filter[field] !== undefined)
  return [...new Set(['account' as const, ...fields.map((field) => kindsOfFilter[field]), ...order.map(kindOfOrder)])]
}

const opposite = { asc: 'desc', desc: 'asc' } as const
const reverse = (order: UserOrder[]) =>
  order.map(({ column, direction }): UserOrder => ({ column, direction: opposite[direction] }))

/** Takes the range of creation times out of the filter when the list is ordered by them. */
const splitRange = (filter: UserFilter, order: UserOrder[]): { window: Slice['window']; rest: UserFilter } => {
  const { createTimeFrom: from, createTimeTo: to, ...rest } = filter
  const isPossible = (from ?? to) !== undefined && order[0]?.column === 'createTime' && order[0].direction === 'asc'
  if (!isPossible) return { window: undefined, rest: filter }
  return { window: { from: from ?? -Infinity, to: to ?? Infinity }, rest }
}

/** With `hasWindows` false each range of creation times is a list of its own. */
export const createListing = (
  filter: UserFilter,
  order: UserOrder[],
  { hasWindows }: { hasWindows: boolean },
): Listing => {
  const isReversed = order.at(-1)?.direction === 'desc'
  const listOrder = isReversed ? reverse(order) : order
  const { window, rest } = hasWindows ? splitRange(filter, listOrder) : { window: undefined, rest: filter }
  return {
    key: JSON.stringify([rest, listOrder]),
    slice: { isReversed, window },
    filter: rest,
    order: listOrder,
    movedBy: kindsThatMove(rest, listOrder),
  }
}
