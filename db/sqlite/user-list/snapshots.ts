import type Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { cut, type IdList, type Slice } from '../../user-list/id-list.js'
import { remember } from '../../../lib/remember.js'
import type { Found, ListedUser } from '../../user-list/index.js'
import {
  columnsWithoutAvatar,
  listedAvatar,
  listedColumns,
  toShownUser,
  type ShownRow,
} from '../../repositories/user-rows.js'
import type { Statement } from './listing.js'

/** Selects `count` users by id, in the order of the parameters: one row for each role of a user, one row for a user without roles. */
const selectUsers = (count: number, columns: readonly string[]) => `
  select ${columns.join(', ')}, user_roles.role_id
  from (values ${Array.from({ length: count }, () => '(?)').join(', ')}) as wanted
  cross join users on users.id = wanted.column1
  left join user_roles on user_roles.user_id = users.id`

const columnsOfPages = [...columnsWithoutAvatar, `${listedAvatar} as avatar`]

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
    remember(100, (count: number) => connection.prepare<number[], Row>(selectUsers(count, columns)))
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

  return {
    users,

    /** The only column of a query. */
    numbers: ({ sql, parameters }: Statement): number[] => statements.memo(sql).all(parameters) as number[],

    /** The result of a query for one number, 0 for none. */
    number,

    /** The number of the latest change of a user, role or tenant (user-changes.ts). */
    latestChange: () => number('select max(seq) from user_changes'),

    /** The users of a slice, and the number of all on its pages. */
    find(list: IdList, slice: Slice, version: number): Found {
      const { ids, total } = cut(list, slice)
      return { users: users(ids, 'page'), total, version }
    },

    /** Must be called when names of tenants or roles may have changed. */
    forgetNames(): void {
      tenantNames.forget()
      roleKeys.forget()
    },

    close: () => void connection.close(),
  }
}

export type Snapshots = ReturnType<typeof createSnapshots>
