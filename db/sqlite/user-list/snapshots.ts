import type Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { maxMoved, type MarkedList, type Moved } from '../../user-list/engine.js'
import { createIdList, cut, type Slice } from '../../user-list/id-list.js'
import { remember } from '../../../lib/remember.js'
import type { ListedUser } from '../../user-list/index.js'
import type { Listing } from '../../user-list/listing.js'
import {
  columnsWithoutAvatar,
  listedAvatar,
  listedColumns,
  toShownUser,
  type ShownRow,
} from '../../repositories/user-rows.js'
import type { Statement } from './statements.js'

/**
 * Selects `count` users by id, in the order of the parameters: one row for each role of a user, one row for a user without roles. With
 * `cross join` SQLite reads the tables in the order in which they are written (sqlite.org/optoverview.html).
 */
const usersById = (count: number, columns: readonly string[]) => `
  select ${columns.join(', ')}, user_roles.role_id
  from (values ${Array.from({ length: count }, () => '(?)').join(', ')}) as wanted
  cross join users on users.id = wanted.column1
  left join user_roles on user_roles.user_id = users.id`

const columnsOfPages = [...columnsWithoutAvatar, `${listedAvatar} as avatar`]

/** A list as of a change, which is told by its number. */
export interface BuiltList extends MarkedList<number> {
  /** Of the slice that was asked for. */
  users: ListedUser[]
}

/** Stands for all users: a changed name of a tenant or role. */
const everybody = 0

const changedSince = `select distinct user_id from user_changes
  where seq > ? and kind in (select value from json_each(?)) limit ${maxMoved + 1}`

type Row = ShownRow & { role_id: number | null }

/** Names of tenants or roles by id, read when they are first needed. */
const createNames = (connection: Sqlite.Database, sql: string) => {
  const select = connection.prepare<[number], string>(sql).pluck()
  return remember(10_000, (id: number) => select.get(id) ?? '')
}

/**
 * Reads what a list needs, synchronously: the main thread must read only a few rows at a time. The caller opens a snapshot. `check` is
 * called now and then while a list is built, and may throw.
 */
export const createSnapshots = (connection: Sqlite.Database, check: () => void = () => undefined) => {
  connection.function('check_wanted', { deterministic: false }, () => {
    check()
    return 1
  })
  const tenantNames = createNames(connection, 'select tenant_name from tenants where id = ?')
  const roleKeys = createNames(connection, 'select role_key from roles where id = ?')

  /** By number of users: pages have up to 100. */
  const selectsFor = (columns: readonly string[]) =>
    remember(100, (count: number) => connection.prepare<number[], Row>(usersById(count, columns)))
  const selects = { page: selectsFor(columnsOfPages), whole: selectsFor(listedColumns) }

  const statements = new LRUCache<string, Sqlite.Statement>({
    max: 100,
    memoMethod: (sql) => connection.prepare(sql).pluck(),
  })
  const number = (sql: string, ...parameters: unknown[]): number => Number(statements.memo(sql).get(parameters) ?? 0)

  /** Users in the order of `ids`, each with its roles in the order of theirs; those who do not exist are left out. */
  const users = (ids: number[], kind: keyof typeof selects = 'whole'): ListedUser[] => {
    if (ids.length === 0) return []
    const found: ListedUser[] = []
    for (const row of selects[kind].of(ids.length).all(...ids)) {
      const keys = row.role_id === null ? [] : [roleKeys.of(row.role_id)]
      const latest = found.at(-1)
      if (latest?.id === row.id) latest.roleKeys.push(...keys)
      else found.push({ ...toShownUser(row), tenantName: tenantNames.of(row.tenant_id), roleKeys: keys })
    }
    return found
  }

  /** The only column of a query. */
  const numbers = ({ sql, parameters }: Statement): number[] => statements.memo(sql).all(parameters) as number[]

  /** The number of the latest change of a user, role or tenant (user-changes.ts). */
  const latestChange = () => number('select max(seq) from user_changes')

  const page = (ids: number[]) => users(ids, 'page')

  const build = (all: Statement, slice: Slice): BuiltList => {
    const ids = createIdList(numbers(all))
    return { mark: latestChange(), ids, users: page(cut(ids, slice)) }
  }

  return {
    users,
    page,
    numbers,
    /** The result of a query for one number, 0 for none. */
    number,
    latestChange,

    /** Who may have moved in a list between two changes; `latest` is that of the snapshot. */
    moved(since: number, latest: number, { movedBy }: Pick<Listing, 'movedBy'>): Moved {
      if (since >= latest) return []
      if (number('select min(seq) from user_changes') > since + 1) return undefined
      const ids = numbers({ sql: changedSince, parameters: [since, JSON.stringify(movedBy)] })
      return ids.length > maxMoved || ids.includes(everybody) ? undefined : ids
    },

    /** A list, and the users of a slice of it. */
    build,

    /** Must be called when names of tenants or roles may have changed. */
    forgetNames(): void {
      tenantNames.forget()
      roleKeys.forget()
    },

    close: () => void connection.close(),
  }
}

export type Snapshots = ReturnType<typeof createSnapshots>
