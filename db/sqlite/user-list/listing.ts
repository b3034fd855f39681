import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { compileText } from '../../query.js'
import type { Tables } from '../../tables.js'
import { createListing, type Listing } from '../../user-list/listing.js'
import { applyCompared, applyOrder, selectUsers, toCompared } from '../../user-list/selection.js'
import type { ComparedValues, UserFilter, UserOrder } from '../../user-list/selection.js'
import { indexed, matchOf, notIndexed } from './name-search.js'

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
   * For a search in names: all whom it finds, in any order, and the key of the list without the search. Undefined for no search, and for
   * one for a single character: that begins very many pairs, and took 20 milliseconds among 100,000 users.
   */
  search: { found: Statement; withoutIt: string } | undefined
}

/** Texts of queries that are kept, for as many combinations of filter fields and orders. */
const maxTexts = 100

/** The call of `check_wanted` at every 1024th id lets the thread give up a list; a call at each id would double the time. */
const withCandidates = (source: string, sql: string) => `with users as not materialized (
  select users.* from ${source} where users.id & 1023 <> 0 or check_wanted()) ${sql}`

/** Materialized, so that SQLite starts with the few users and not with an index of all. `few` selects their ids. */
const withFew = (few: string, sql: string) => `with users as materialized (
  select * from main.users where id in (${few})) ${sql}`

/** `rest` are the values without those of names. */
const compileTexts = (db: Kysely<Tables>, values: ComparedValues, rest: ComparedValues, order: UserOrder[]) => {
  const users = selectUsers(db).select('users.id')
  const compile = (some: ComparedValues) =>
    compileText(some, (placeholders) => applyOrder(applyCompared(users, placeholders), order))
  const { sql, bind } = compile(values)
  const { sql: restSql, bind: bindRest } = compile(rest)
  // The index knows who has a text in the name: only names that are not indexed are compared.
  const found = `${indexed} union all select id from (${withFew(notIndexed, sql)})`
  return {
    bind,
    bindRest,
    all: withCandidates('main.users', sql),
    found,
    search: withCandidates(`(${found}) as candidates cross join main.users on users.id = candidates.id`, restSql),
    among: withFew('select value from json_each(?)', sql),
    firstOfTwo: applyOrder(users.where('users.id', 'in', [0, 0]), order).compile().sql,
  }
}

/** Returns a function that makes lists. Those that differ only in the values of their filters share the texts of their queries. */
export const createListings = (db: Kysely<Tables>) => {
  const texts = new LRUCache<string, ReturnType<typeof compileTexts>>({ max: maxTexts })

  return (filter: UserFilter, order: UserOrder[]): SqliteListing => {
    const listing = createListing(filter, order)
    const values = toCompared(listing.filter)
    const rest = { ...filter, username: undefined, realName: undefined, keyword: undefined }
    const restValues = toCompared(rest)
    const key = JSON.stringify([Object.keys(values), values.tenantIds.length, listing.order])
    const known = texts.get(key) ?? compileTexts(db, values, restValues, listing.order)
    texts.set(key, known)
    const { bind, bindRest, all, found, search, among, firstOfTwo } = known
    const match = matchOf(filter)
    const matching = () => [match, ...bind(values)]
    return {
      ...listing,
      all: () =>
        match === ''
          ? { sql: all, parameters: bind(values) }
          : { sql: search, parameters: [...matching(), ...bindRest(restValues)] },
      search:
        match === '' || match.includes('*')
          ? undefined
          : { found: { sql: found, parameters: matching() }, withoutIt: createListing(rest, order).key },
      among: (ids) => ({ sql: among, parameters: [JSON.stringify(ids), ...bind(values)] }),
      firstOfTwo,
    }
  }
}
