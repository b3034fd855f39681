import type Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { cut, type IdList, type Slice } from '../../user-list/id-list.js'
import type { Found } from '../../user-list/index.js'
import { toShownUser, type ShownRow } from '../../repositories/user-rows.js'
import { listedColumns } from '../../user-list/selection.js'
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

  const keysOf = (roleIds: string | null): string[] => {
    const ids = roleIds === null ? [] : roleIds.split(',').map(Number)
    return ids.sort((one, other) => one - other).map((id) => roleKeys.memo(id))
  }

  const statements = new LRUCache<string, Sqlite.Statement>({
    max: 100,
    memoMethod: (sql) => connection.prepare(sql).pluck(),
  })
  // Made once: it prepares functions of its own each time.
  const inSnapshot = connection.transaction((work: () => unknown) => work())
  const number = (sql: string, ...parameters: unknown[]): number => Number(statements.memo(sql).get(parameters) ?? 0)
  const timeOf = (id: number) => number('select create_time from users where id = ?', id)

  return {
    /** Runs `work`, which reads from one snapshot that is not older than the call. */
    read: <T>(work: () => T): T => inSnapshot(work) as T,

    /** The only column of a query. */
    numbers: ({ sql, parameters }: Statement): number[] => statements.memo(sql).all(parameters) as number[],

    /** The result of a query for one number, 0 for none. */
    number,

    /** The number of the latest change of a user, role or tenant (user-changes.ts). */
    latestChange: () => number('select max(seq) from user_changes'),

    /** The users of a slice, and the number of all on its pages. */
    find(list: IdList, slice: Slice, version: number): Found {
      const { ids, total } = cut(list, slice, timeOf)
      const rows = rowsOf.all(JSON.stringify(ids))
      const namesOf = (row: Row) => ({ tenantName: tenantNames.memo(row.tenant_id), roleKeys: keysOf(row.role_ids) })
      return { users: rows.map((row) => ({ ...toShownUser(row), ...namesOf(row) })), total, version }
    },

    /** Must be called when names of tenants or roles may have changed. */
    forgetNames(): void {
      tenantNames.clear()
      roleKeys.clear()
    },

    close: () => void connection.close(),
  }
}

export type Snapshots = ReturnType<typeof createSnapshots>
