import type Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { copyAll, cut, type IdList, type Ids, type Slice } from '../../user-list/id-list.js'
import type { Found, ListedUser } from '../../user-list/index.js'
import { listedColumns, toShownUser, type ShownRow } from '../../repositories/user-rows.js'
import type { Statement } from './listing.js'

/** The users of a JSON array of ids, in its order. */
const selectUsers = `
  select ${listedColumns.join(', ')}, (select group_concat(role_id) from user_roles where user_id = users.id) as role_ids
  from json_each(?) as wanted cross join users on users.id = wanted.value`

type Row = ShownRow & { role_ids: string | null }

/** Names of tenants or roles by id, read when they are first needed. */
const createNames = (connection: Sqlite.Database, sql: string) => {
  const select = connection.prepare<[number], string>(sql).pluck()
  return new LRUCache<number, string>({ max: 10_000, memoMethod: (id) => select.get(id) ?? '' })
}

/**
 * Reads several things from one snapshot, synchronously: the main thread must read only a few rows at a time. `check` is
 * called now and then while a list is built, and may throw.
 */
export const createSnapshots = (connection: Sqlite.Database, check: () => void = () => undefined) => {
  connection.function('check_wanted', { deterministic: false }, () => {
    check()
    return 1
  })
  const rowsOf = connection.prepare<[string], Row>(selectUsers)
  const tenantNames = createNames(connection, 'select tenant_name from tenants where id = ?')
  const roleKeys = createNames(connection, 'select role_key from roles where id = ?')

  /** The keys of a list of ids with commas, in the order of the ids. */
  const roleKeysOf = new LRUCache<string, string[]>({
    max: 10_000,
    memoMethod: (roleIds) => {
      const ids = roleIds.split(',').map(Number)
      return ids.sort((one, other) => one - other).map((id) => roleKeys.memo(id))
    },
  })

  const statements = new LRUCache<string, Sqlite.Statement>({
    max: 100,
    memoMethod: (sql) => connection.prepare(sql).pluck(),
  })
  // Made once: it prepares functions of its own each time.
  const inSnapshot = connection.transaction((work: () => unknown) => work())
  const number = (sql: string, ...parameters: unknown[]): number => Number(statements.memo(sql).get(parameters) ?? 0)
  const latestChange = connection.prepare<[], number | null>('select max(seq) from user_changes').pluck()
  const selectTime = connection.prepare<[number], number>('select create_time from users where id = ?').pluck()
  /** Creation times by id. Every search for a time begins at the same users of a list. */
  const times = new LRUCache<number, number>({ max: 10_000, memoMethod: (id) => selectTime.get(id) ?? 0 })

  const timeOf = (id: number): number => times.memo(id)

  /** Users in the order of `ids`; those who do not exist are left out. */
  const users = (ids: number[]): ListedUser[] =>
    rowsOf.all(JSON.stringify(ids)).map((row) => ({
      ...toShownUser(row),
      tenantName: tenantNames.memo(row.tenant_id),
      roleKeys: row.role_ids === null ? [] : roleKeysOf.memo(row.role_ids),
    }))

  return {
    users,

    /** A copy of all ids of a slice. */
    ids: (list: IdList, slice: Omit<Slice, 'page'>): Ids => copyAll(list, slice, timeOf),

    /** Runs `work`, which reads from one snapshot that is not older than the call. */
    read: <T>(work: () => T): T => inSnapshot(work) as T,

    /** The only column of a query. */
    numbers: ({ sql, parameters }: Statement): number[] => statements.memo(sql).all(parameters) as number[],

    /** The result of a query for one number, 0 for none. */
    number,

    /** The number of the latest change of a user, role or tenant (user-changes.ts). */
    latestChange: () => latestChange.get() ?? 0,

    /** The users of a slice, and the number of all on its pages. */
    find(list: IdList, slice: Slice, version: number): Found {
      const { ids, total } = cut(list, slice, timeOf)
      return { users: users(ids), total, version }
    },

    /** Must be called when any user may have changed. */
    forgetTimes: () => times.clear(),

    /** Must be called when names of tenants or roles may have changed. */
    forgetNames(): void {
      tenantNames.clear()
      roleKeys.clear()
      roleKeysOf.clear()
    },

    close: () => void connection.close(),
  }
}

export type Snapshots = ReturnType<typeof createSnapshots>
