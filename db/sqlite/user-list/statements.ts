import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { compileText } from '../../query.js'
import type { Tables } from '../../tables.js'
import type { Listing } from '../../user-list/listing.js'
import { applyCompared, applyOrder, selectUsers, toCompared } from '../../user-list/selection.js'
import type { ComparedValues, UserOrder } from '../../user-list/selection.js'
import { beside, indexedBut, matchOf } from './name-search.js'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** The queries of a list. Each selects ids, in the order of the list but for `found`. */
export interface ListStatements {
  /** All users whom the filter lets through. */
  all: Statement
  /** All who are in the list without the search, or the role, and in this list too, in any order; undefined where no index can tell them fast. */
  found: Statement | undefined
  /** Whether names are searched for: fewer are found than have a role. */
  isSearch: boolean
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

/** The grants of a role, of which its users may be few of a million: SQLite would ask each user for the role. A user has only roles of its tenant. */
const grantsOf = ({ tenantIds }: ComparedValues): string => {
  const inTenants = tenantIds.map(() => 'tenant_id = ?').join(' and ') || 'tenant_id in (select id from tenants)'
  return `(select id from main.roles where ${inTenants} and role_key = ?) as given
    cross join main.user_roles on user_roles.role_id = given.id`
}

const someIds = 'select value from json_each(?)'

/** What narrows a filter without names to the users of a role, and what is left of it. A contact narrows more than a role. */
const narrowByRole = ({ roleKey, ...others }: ComparedValues) =>
  roleKey === undefined || (others.phoneKey ?? others.emailKey) !== undefined
    ? undefined
    : { grants: grantsOf(others), parameters: [...others.tenantIds, roleKey], others }

/** `rest` are the values without those of names. */
const compileTexts = (db: Kysely<Tables>, values: ComparedValues, rest: ComparedValues, order: UserOrder[]) => {
  const users = selectUsers(db).select('users.id')
  const compile = (some: ComparedValues) =>
    compileText(some, (placeholders) => applyOrder(applyCompared(users, placeholders), order))
  const { sql, bind } = compile(values)
  const { sql: restSql, bind: bindRest } = compile(rest)
  // The index knows who has a text in the name: only names that are not indexed are compared.
  const others = beside(values).sql
  const found = `${indexedBut(others)} union all select id from (${withFew(others, sql)})`
  const role = narrowByRole(values)
  const ofRole = role && { ...compile(role.others), grants: role.grants }
  return {
    bind,
    bindRest,
    all: withCandidates('main.users', sql),
    found,
    search: withCandidates(`(${found}) as candidates cross join main.users on users.id = candidates.id`, restSql),
    matching: withFew(someIds, sql),
    existing: withFew(someIds, applyOrder(users, order).compile().sql),
    ofRole: ofRole && {
      bind: ofRole.bind,
      all: withCandidates(`${ofRole.grants} cross join main.users on users.id = user_roles.user_id`, ofRole.sql),
      found: `select user_roles.user_id as id from ${ofRole.grants}`,
    },
  }
}

type Texts = ReturnType<typeof compileTexts>

/** The queries of a search for names. */
const searchOf = (texts: Texts, match: string, values: ComparedValues, rest: ComparedValues) => {
  const others = beside(values).parameters
  const matching = [match, ...others, ...others, ...texts.bind(values)]
  return {
    all: { sql: texts.search, parameters: [...matching, ...texts.bindRest(rest)] },
    // A single character begins very many pairs: a search for one took 20 milliseconds among 100,000 users.
    found: match.includes('*') ? undefined : { sql: texts.found, parameters: matching },
  }
}

/** The queries of a list without a search. */
const plainOf = (texts: Texts, values: ComparedValues) => {
  const role = narrowByRole(values)
  if (!role || !texts.ofRole) return { all: { sql: texts.all, parameters: texts.bind(values) }, found: undefined }
  const { all, found, bind } = texts.ofRole
  return {
    all: { sql: all, parameters: [...role.parameters, ...bind(role.others)] },
    found: { sql: found, parameters: role.parameters },
  }
}

/** Returns a function that makes the queries of lists. Those that differ only in the values of their filters share their texts. */
export const createListStatements = (db: Kysely<Tables>) => {
  const texts = new LRUCache<string, Texts>({ max: maxTexts })

  return ({ filter, order, base }: Listing): ListStatements => {
    const values = toCompared(filter)
    const match = matchOf(filter)
    const rest = match !== '' && base ? toCompared(base.filter) : values
    const key = JSON.stringify([Object.keys(values), values.tenantIds.length, order])
    const known = texts.get(key) ?? compileTexts(db, values, rest, order)
    texts.set(key, known)
    const all = known.bind(values)
    return {
      isSearch: match !== '',
      ...(match === '' ? plainOf(known, values) : searchOf(known, match, values, rest)),
      among: (ids, which) =>
        which.matching
          ? { sql: known.matching, parameters: [JSON.stringify(ids), ...all] }
          : { sql: known.existing, parameters: [JSON.stringify(ids)] },
    }
  }
}
