import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { compileText } from '../../query.js'
import type { Tables } from '../../tables.js'
import type { Listing } from '../../user-list/listing.js'
import { applyCompared, applyOrder, selectUsers, toCompared } from '../../user-list/selection.js'
import type { ComparedValues, UserOrder } from '../../user-list/selection.js'
import { indexed, matchOf, notIndexed } from './name-search.js'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** The queries of a list. Each selects ids, in the order of the list but for `found`. */
export interface ListStatements {
  /** All users whom the filter lets through. */
  all: Statement
  /** All whom a search for names finds, in any order; undefined where there is no search that the index can answer fast. */
  found: Statement | undefined
  /** Some users: only those whom the filter lets through, or all of them. */
  among: (ids: number[], which: { matching: boolean }) => Statement
}

/** Texts of queries that are kept, for as many combinations of filter fields and orders. */
const maxTexts = 100

/**
 * `sql` selects from `users`: the name now means these rows instead of the table. The call of `check_wanted` at every 1024th id lets the
 * thread give up a list; a call at each id would double the time.
 */
const withCandidates = (source: string, sql: string) => `with users as not materialized (
  select users.* from ${source} where users.id & 1023 <> 0 or check_wanted()) ${sql}`

/** Materialized, so that SQLite starts with the few users and not with an index of all. `few` selects their ids. */
const withFew = (few: string, sql: string) => `with users as materialized (
  select * from main.users where id in (${few})) ${sql}`

const someIds = 'select value from json_each(?)'

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
    matching: withFew(someIds, sql),
    existing: withFew(someIds, applyOrder(users, order).compile().sql),
  }
}

/** Returns a function that makes the queries of lists. Those that differ only in the values of their filters share their texts. */
export const createListStatements = (db: Kysely<Tables>) => {
  const texts = new LRUCache<string, ReturnType<typeof compileTexts>>({ max: maxTexts })

  return ({ filter, order, base }: Listing): ListStatements => {
    const values = toCompared(filter)
    const rest = toCompared(base?.filter ?? filter)
    const key = JSON.stringify([Object.keys(values), values.tenantIds.length, order])
    const known = texts.get(key) ?? compileTexts(db, values, rest, order)
    texts.set(key, known)
    const match = matchOf(filter)
    const all = known.bind(values)
    const matching = [match, ...all]
    return {
      all: base
        ? { sql: known.search, parameters: [...matching, ...known.bindRest(rest)] }
        : { sql: known.all, parameters: all },
      // A single character begins very many pairs: a search for one took 20 milliseconds among 100,000 users.
      found: base && !match.includes('*') ? { sql: known.found, parameters: matching } : undefined,
      among: (ids, which) =>
        which.matching
          ? { sql: known.matching, parameters: [JSON.stringify(ids), ...all] }
          : { sql: known.existing, parameters: [JSON.stringify(ids)] },
    }
  }
}
