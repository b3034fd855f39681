import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { compileText } from '../../query.js'
import type { Tables } from '../../tables.js'
import { createListing, type Listing } from '../../user-list/listing.js'
import { applyCompared, applyOrder, selectUsers, toCompared } from '../../user-list/selection.js'
import type { ComparedValues, UserFilter, UserOrder } from '../../user-list/selection.js'
import { candidates, matchOf } from './name-search.js'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** A list, and the queries that read it: each selects ids in the order of the list. */
export interface SqliteListing extends Listing {
  /** All users that match the filter. */
  all: () => Statement
  /** Those of a few users who match the filter. */
  among: (ids: number[]) => Statement
  /** The first of two users, whether they match or not. The parameters are their ids. */
  firstOfTwo: string
  /**
   * The query of a search in names (name-search.ts), and the key of the list without that search. Undefined for no search, and for one for a
   * single character: that begins very many pairs, and took 20 milliseconds among 100,000 users.
   */
  search: { match: string; withoutIt: string } | undefined
}

/** Texts of queries that are kept, for as many combinations of filter fields and orders. */
const maxTexts = 100

/** The call of `check_wanted` at every 1024th id lets the thread give up a list; a call at each id would double the time. */
const withCandidates = (source: string, sql: string) => `with users as not materialized (
  select users.* from ${source} where users.id & 1023 <> 0 or check_wanted()) ${sql}`

/** Materialized, so that SQLite starts with the few users and not with an index of all. */
const withFew = (sql: string) => `with users as materialized (
  select * from main.users where id in (select value from json_each(?))) ${sql}`

const compileTexts = (db: Kysely<Tables>, values: ComparedValues, order: UserOrder[]) => {
  const users = selectUsers(db).select('users.id')
  const { sql, bind } = compileText(values, (placeholders) => applyOrder(applyCompared(users, placeholders), order))
  return {
    bind,
    all: withCandidates('main.users', sql),
    search: withCandidates(candidates, sql),
    among: withFew(sql),
    firstOfTwo: applyOrder(users.where('users.id', 'in', [0, 0]), order).compile().sql,
  }
}

/** Returns a function that makes lists. Those that differ only in the values of their filters share the texts of their queries. */
export const createListings = (db: Kysely<Tables>) => {
  const texts = new LRUCache<string, ReturnType<typeof compileTexts>>({ max: maxTexts })

  const textsFor = (values: ComparedValues, order: UserOrder[]) => {
    const key = JSON.stringify([Object.keys(values), values.tenantIds.length, order])
    const known = texts.get(key) ?? compileTexts(db, values, order)
    texts.set(key, known)
    return known
  }

  return (filter: UserFilter, order: UserOrder[]): SqliteListing => {
    const listing = createListing(filter, order)
    const values = toCompared(listing.filter)
    const { bind, all, search, among, firstOfTwo } = textsFor(values, listing.order)
    const match = matchOf(filter)
    const rest = { ...filter, username: undefined, realName: undefined, keyword: undefined }
    return {
      ...listing,
      search: match === '' || match.includes('*') ? undefined : { match, withoutIt: createListing(rest, order).key },
      all: () =>
        match === '' ? { sql: all, parameters: bind(values) } : { sql: search, parameters: [match, ...bind(values)] },
      among: (ids) => ({ sql: among, parameters: [JSON.stringify(ids), ...bind(values)] }),
      firstOfTwo,
    }
  }
}
