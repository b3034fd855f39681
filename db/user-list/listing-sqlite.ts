import { sql, type CompiledQuery, type Kysely } from 'kysely'
import type { SortColumn } from '../../schemas/user.js'
import type { Tables } from '../tables.js'
import type { ChangeKind } from './changes-sqlite.js'
import { applyFilter, applyOrder, selectUsers, type UserFilter, type UserOrder } from './selection.js'

/** A filter and an order: what a list of ids belongs to. */
export interface Listing {
  /** Equal for listings with the same list. */
  key: string
  /** Whether the list is to be read from its end: it serves the opposite order, too. */
  isReversed: boolean
  /** What it takes to make the list and to keep it. */
  prepare(): ListingPlan
}

/** The queries of a listing; each selects ids, in the order of the list. */
export interface ListingPlan {
  /** The changes of a user after which the list may be another. */
  movedBy: ReadonlySet<ChangeKind>
  /** Everybody whom the filter lets through. */
  all: Statement
  /** The same of a few: the parameters are the ids as a JSON array and `amongParameters`. */
  among: Statement
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

const toStatement = ({ sql, parameters }: CompiledQuery): Statement => ({ sql, parameters })

export const createListing = (db: Kysely<Tables>, filter: UserFilter, asked: UserOrder[]): Listing => {
  const isReversed = asked.at(-1)?.direction === 'desc'
  const order = isReversed ? turn(asked) : asked
  return {
    key: JSON.stringify([filter, order]),
    isReversed,
    prepare: () => {
      const users = selectUsers(db).select('users.id')
      const few = users.where(sql<boolean>`users.id in (select value from json_each(${''}))`)
      return {
        movedBy: movers(order),
        all: toStatement(applyOrder(applyFilter(users, filter), order).compile()),
        among: toStatement(applyOrder(applyFilter(few, filter), order).compile()),
        firstOfTwo: applyOrder(users.where('users.id', 'in', [0, 0]), order).compile().sql,
      }
    },
  }
}
