import type { CompiledQuery, Kysely } from 'kysely'
import type { SortColumn } from '../../schemas/user.js'
import type { Tables } from '../tables.js'
import type { ChangeKind } from './changes-sqlite.js'
import type { Slice } from './id-list.js'
import { candidatesOf } from './name-search.js'
import { applyFilter, applyOrder, selectUsers, type UserFilter, type UserOrder } from './selection.js'

/** A filter and an order: a list of ids, and what is wanted of it. */
export interface Listing {
  /** Equal for listings with the same list. */
  key: string
  /** A list serves the opposite order, too, and, ordered by creation time, all ranges of that. */
  slice: Omit<Slice, 'page'>
  /** What it takes to make the list and to keep it. */
  prepare(): ListingPlan
}

/** The queries of a listing; each selects ids, in the order of the list. */
export interface ListingPlan {
  /** The changes of a user after which the list may be another. */
  movedBy: ReadonlySet<ChangeKind>
  /** Everybody whom the filter lets through. */
  all: Statement
  /** The rows of `users` that `all` need look at. */
  candidates: Statement
  /** The same of a few, whose ids as a JSON array are the first parameter, before those of `all`. */
  among: string
  /** The first of two users, whom the filter may keep out: the parameters are their ids. */
  firstOfTwo: string
}

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

const signInColumns: readonly SortColumn[] = ['lastLoginTime', 'lastLoginIp', 'loginCount']

const movers = (order: UserOrder[]): ReadonlySet<ChangeKind> => {
  const kinds = new Set<ChangeKind>(['account'])
  if (order.some(({ column }) => signInColumns.includes(column))) kinds.add('sign_in')
  if (order.some(({ column }) => column === 'tenantName')) kinds.add('names')
  return kinds
}

const opposite = { asc: 'desc', desc: 'asc' } as const
const turn = (order: UserOrder[]) =>
  order.map(({ column, direction }): UserOrder => ({ column, direction: opposite[direction] }))

/** Materialized, so that no index of the whole table looks better than the keys of a few rows. */
const amongFew = 'with users as materialized (select * from main.users where id in (select value from json_each(?)))'

const toStatement = ({ sql, parameters }: CompiledQuery): Statement => ({ sql, parameters })

/** The range of creation times that an order by them makes a stretch of the list, and the rest of the filter. */
const splitRange = (filter: UserFilter, order: UserOrder[]): { window: Slice['window']; rest: UserFilter } => {
  const { createTimeFrom: from, createTimeTo: to, ...rest } = filter
  const isStretch = (from ?? to) !== undefined && order[0]?.column === 'createTime' && order[0].direction === 'asc'
  return isStretch
    ? { window: { from: from ?? -Infinity, to: to ?? Infinity }, rest }
    : { window: undefined, rest: filter }
}

export const createListing = (db: Kysely<Tables>, asked: UserFilter, askedOrder: UserOrder[]): Listing => {
  const isReversed = askedOrder.at(-1)?.direction === 'desc'
  const order = isReversed ? turn(askedOrder) : askedOrder
  const { window, rest: filter } = splitRange(asked, order)
  return {
    key: JSON.stringify([filter, order]),
    slice: { isReversed, window },
    prepare: () => {
      const users = selectUsers(db).select('users.id')
      const all = toStatement(applyOrder(applyFilter(users, filter), order).compile())
      return {
        movedBy: movers(order),
        all,
        candidates: candidatesOf(filter),
        among: `${amongFew} ${all.sql}`,
        firstOfTwo: applyOrder(users.where('users.id', 'in', [0, 0]), order).compile().sql,
      }
    },
  }
}
