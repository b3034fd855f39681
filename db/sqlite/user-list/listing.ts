import type { CompiledQuery, Kysely } from 'kysely'
import { shownColumns } from '../../repositories/user-rows.js'
import type { Tables } from '../../tables.js'
import type { Slice } from '../../user-list/id-list.js'
import { applyFilter, applyOrder, selectUsers, type UserFilter, type UserOrder } from '../../user-list/selection.js'
import { candidatesOf } from './name-search.js'
import { signInColumns, type ChangeKind } from './user-changes.js'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** A filter and an order, as a list of ids and a part of it. */
export interface Listing {
  /** Equal for listings that share a list. */
  key: string
  /** One list also serves the opposite order and, when ordered by creation time, all ranges of creation times. */
  slice: Omit<Slice, 'page'>
  queries: () => Queries
}

/** Each query selects ids in the order of the list. */
export interface Queries {
  /** The kinds of changes that may move a user in the list. */
  movedBy: ChangeKind[]
  /** All users that match the filter. */
  all: Statement
  /** Those of a few users who match the filter. */
  among: (ids: number[]) => Statement
  /** The first of two users, whether they match or not. The parameters are their ids. */
  firstOfTwo: () => string
}

/** The kind of change that moves a user in an order by `column`. */
const kindOf = ({ column }: UserOrder): ChangeKind => {
  if (column === 'tenantName') return 'names'
  return signInColumns.includes(shownColumns[column]) ? 'sign_in' : 'account'
}

const opposite = { asc: 'desc', desc: 'asc' } as const
const reverse = (order: UserOrder[]) =>
  order.map(({ column, direction }): UserOrder => ({ column, direction: opposite[direction] }))

/** The call of `check_wanted` at every 1024th id lets the thread give up a list; a call at each id would double the time. */
const withCandidates = (source: string, sql: string) => `with users as not materialized (
  select users.* from ${source} where users.id & 1023 <> 0 or check_wanted()) ${sql}`

/** Materialized, so that SQLite starts with the few users and not with an index of all. */
const withFew = (sql: string) => `with users as materialized (
  select * from main.users where id in (select value from json_each(?))) ${sql}`

const compileQueries = (db: Kysely<Tables>, filter: UserFilter, order: UserOrder[]): Queries => {
  const users = selectUsers(db).select('users.id')
  const all: CompiledQuery = applyOrder(applyFilter(users, filter), order).compile()
  const candidates = candidatesOf(filter)
  return {
    movedBy: ['account', ...order.map(kindOf)],
    all: { sql: withCandidates(candidates.sql, all.sql), parameters: [...candidates.parameters, ...all.parameters] },
    among: (ids) => ({ sql: withFew(all.sql), parameters: [JSON.stringify(ids), ...all.parameters] }),
    firstOfTwo: () => applyOrder(users.where('users.id', 'in', [0, 0]), order).compile().sql,
  }
}

/** Takes the range of creation times out of the filter when the list is ordered by them. */
const splitRange = (filter: UserFilter, order: UserOrder[]): { window: Slice['window']; rest: UserFilter } => {
  const { createTimeFrom: from, createTimeTo: to, ...rest } = filter
  const isPossible = (from ?? to) !== undefined && order[0]?.column === 'createTime' && order[0].direction === 'asc'
  if (!isPossible) return { window: undefined, rest: filter }
  return { window: { from: from ?? -Infinity, to: to ?? Infinity }, rest }
}

export const createListing = (db: Kysely<Tables>, filter: UserFilter, order: UserOrder[]): Listing => {
  const isReversed = order.at(-1)?.direction === 'desc'
  const listOrder = isReversed ? reverse(order) : order
  const { window, rest } = splitRange(filter, listOrder)
  let queries: Queries | undefined
  return {
    key: JSON.stringify([rest, listOrder]),
    slice: { isReversed, window },
    queries: () => (queries ??= compileQueries(db, rest, listOrder)),
  }
}
