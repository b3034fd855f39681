import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import { createListing, type Listing } from '../../user-list/listing.js'
import { applyFilter, applyOrder, selectUsers, type UserFilter, type UserOrder } from '../../user-list/selection.js'
import { candidatesOf } from './name-search.js'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** A list, and the queries that read it: each selects ids in the order of the list. */
export interface SqliteListing extends Listing {
  /** All users that match the filter. Compiled by each call: a list is read once, and hundreds of lists are in memory. */
  all: () => Statement
  /** Those of a few users who match the filter. Compiled once: lists whose users move ask for it often. */
  among: (ids: number[]) => Statement
  /** The first of two users, whether they match or not. The parameters are their ids. */
  firstOfTwo: () => string
}

/** The call of `check_wanted` at every 1024th id lets the thread give up a list; a call at each id would double the time. */
const withCandidates = (source: string, sql: string) => `with users as not materialized (
  select users.* from ${source} where users.id & 1023 <> 0 or check_wanted()) ${sql}`

/** Materialized, so that SQLite starts with the few users and not with an index of all. */
const withFew = (sql: string) => `with users as materialized (
  select * from main.users where id in (select value from json_each(?))) ${sql}`

export const createSqliteListing = (db: Kysely<Tables>, filter: UserFilter, order: UserOrder[]): SqliteListing => {
  const listing = createListing(filter, order, { hasWindows: true })
  const users = () => selectUsers(db).select('users.id')
  // Kysely's compiled query also holds the tree it was made from, which takes several kilobytes.
  const compile = (): Statement => {
    const { sql, parameters } = applyOrder(applyFilter(users(), listing.filter), listing.order).compile()
    return { sql, parameters }
  }
  let few: Statement | undefined
  let firstOfTwo: string | undefined
  const compileFew = (): Statement => {
    const { sql, parameters } = compile()
    return (few = { sql: withFew(sql), parameters })
  }
  return {
    ...listing,
    all() {
      const { sql, parameters } = compile()
      const candidates = candidatesOf(listing.filter)
      return { sql: withCandidates(candidates.sql, sql), parameters: [...candidates.parameters, ...parameters] }
    },
    among(ids) {
      const { sql, parameters } = few ?? compileFew()
      return { sql, parameters: [JSON.stringify(ids), ...parameters] }
    },
    firstOfTwo: () => (firstOfTwo ??= applyOrder(users().where('users.id', 'in', [0, 0]), listing.order).compile().sql),
  }
}
