import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import { createListing, type Listing } from '../../user-list/listing.js'
import { applyFilter, applyOrder, selectUsers, type UserFilter, type UserOrder } from '../../user-list/selection.js'
import { candidatesOf } from './name-search.js'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** A list, and the queries that read it. */
export interface SqliteListing extends Listing {
  /** Compiled when they are first needed, which takes longer than reading a page: most requests find the list in memory. */
  queries: () => Queries
}

/** Each query selects ids in the order of the list. */
export interface Queries {
  /** All users that match the filter. */
  all: Statement
  /** Those of a few users who match the filter. */
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

const compileQueries = (db: Kysely<Tables>, { filter, order }: Listing): Queries => {
  const users = selectUsers(db).select('users.id')
  const all: CompiledQuery = applyOrder(applyFilter(users, filter), order).compile()
  const candidates = candidatesOf(filter)
  // Most lists never need it.
  let firstOfTwo: string | undefined
  return {
    all: { sql: withCandidates(candidates.sql, all.sql), parameters: [...candidates.parameters, ...all.parameters] },
    among: (ids) => ({ sql: withFew(all.sql), parameters: [JSON.stringify(ids), ...all.parameters] }),
    firstOfTwo: () => (firstOfTwo ??= applyOrder(users.where('users.id', 'in', [0, 0]), order).compile().sql),
  }
}

export const createSqliteListing = (db: Kysely<Tables>, filter: UserFilter, order: UserOrder[]): SqliteListing => {
  const listing = createListing(filter, order, { hasWindows: true })
  let queries: Queries | undefined
  return { ...listing, queries: () => (queries ??= compileQueries(db, listing)) }
}
