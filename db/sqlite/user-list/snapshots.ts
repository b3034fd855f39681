import type Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { copyAll, cut, type IdList, type Ids, type Slice } from '../../user-list/id-list.js'
import { remember } from '../../../lib/remember.js'
import type { Found, ListedUser } from '../../user-list/index.js'
import { listedColumns, toShownUser, type ShownRow } from '../../repositories/user-rows.js'
import type { Statement } from './listing.js'

/** Selects `count` users by id, in the order of the parameters: one row for each role of a user, one row for a user without roles. */
const selectUsers = (count: number) => `
  select ${listedColumns.join(', ')}, user_roles.role_id
  from (values ${Array.from({ length: count }, () => '(?)').join(', ')}) as wanted
  cross join users on users.id = wanted.column1
  left join user_roles on user_roles.user_id = users.id`

type Row = ShownRow & { role_id: number | null }

/** Names of tenants or roles by id, read when they are first needed. */
const createNames = (connection: Sqlite.Database, sql: string) => {
  const select = connection.prepare<[number], string>(sql).pluck()
  return remember(10_000, (id: number) => select.get(id) ?? '')
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
  const tenantNames = createNames(connection, 'select tenant_name from tenants where id = ?')
  const roleKeys = createNames(connection, 'select role_key from roles where id = ?')

  /** By number of users: pages have up to 100. */
  const selects = remember(100, (count: number) => connection.prepare<number[], Row>(selectUsers(count)))

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
  const times = remember(10_000, (id: number) => selectTime.get(id) ?? 0)

  const timeOf = (id: number): number => times.of(id)

  /** Users in the order of `ids`, each with its roles in the order of theirs; those who do not exist are left out. */
  const users = (ids: number[]): ListedUser[] => {
    if (ids.length === 0) return []
    const found: ListedUser[] = []
    for (const row of selects.of(ids.length).all(...ids)) {
      const keys = row.role_id === null ? [] : [roleKeys.of(row.role_id)]
      const latest = found.at(-1)
      if (latest?.id === row.id) latest.roleKeys.push(...keys)
      else found.push({ ...toShownUser(row), tenantName: tenantNames.of(row.tenant_id), roleKeys: keys })
    }
    return found
  }

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
    forgetTimes: () => times.forget(),

    /** Must be called when names of tenants or roles may have changed. */
    forgetNames(): void {
      tenantNames.forget()
      roleKeys.forget()
    },

    close: () => void connection.close(),
  }
}

export type Snapshots = ReturnType<typeof createSnapshots>
