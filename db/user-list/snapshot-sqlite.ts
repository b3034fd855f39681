import type Sqlite from 'better-sqlite3'
import { listedColumns, toListedUser, type ListedRow, type ListedUser } from './listed-user.js'
import type { Statement } from './listing-sqlite.js'

/** The users of a JSON array of ids, in its order. */
const selectUsers = `
  select ${listedColumns.join(', ')}, (select group_concat(role_id) from user_roles where user_id = users.id) as role_ids
  from json_each(?) as wanted cross join users on users.id = wanted.value`

type Row = ListedRow & { role_ids: string | null }

const maxNames = 10_000

/** Names that many users share: read once, until they are forgotten. */
const createNames = (connection: Sqlite.Database, sql: string) => {
  const select = connection.prepare<[number], string>(sql).pluck()
  const names = new Map<number, string>()
  return {
    find(id: number): string | undefined {
      const known = names.get(id)
      if (known !== undefined) return known
      const name = select.get(id)
      if (names.size >= maxNames) names.clear()
      if (name !== undefined) names.set(id, name)
      return name
    },
    forget: () => names.clear(),
  }
}

/**
 * A connection that reads without Kysely and without waiting: several reads that are of one moment. Blocks the thread:
 * on the main thread it reads a few rows at a time, everything else belongs into a worker.
 */
export const createSnapshots = (connection: Sqlite.Database) => {
  const begin = connection.prepare('begin')
  const commit = connection.prepare('commit')
  const rowsOf = connection.prepare<[string], Row>(selectUsers)
  const tenantNames = createNames(connection, 'select tenant_name from tenants where id = ?')
  const roleKeys = createNames(connection, 'select role_key from roles where id = ?')

  const keysOf = (roleIds: string | null): string[] =>
    roleIds === null
      ? []
      : roleIds
          .split(',')
          .map(Number)
          .sort((one, other) => one - other)
          .flatMap((id) => roleKeys.find(id) ?? [])

  const prepareNumber = (sql: string) => {
    const statement = connection.prepare(sql).pluck()
    return (...parameters: number[]) => statement.get(parameters) as number | undefined
  }

  return {
    /** Runs `work`; all that it reads is of the same moment, not earlier than the call. */
    read<T>(work: () => T): T {
      begin.run()
      try {
        return work()
      } finally {
        commit.run()
      }
    },

    /** The only column of a query. */
    numbers: ({ sql, parameters }: Statement): number[] => connection.prepare(sql).pluck().all(parameters) as number[],

    /** The same for one number, and asked many times over. */
    prepareNumber,

    /** When a user was created. */
    timeOf: prepareNumber('select create_time from users where id = ?'),

    /** These users, in this order; ids that nobody has are left out. */
    users: (ids: number[]): ListedUser[] =>
      rowsOf
        .all(JSON.stringify(ids))
        .map((row) => toListedUser(row, tenantNames.find(row.tenant_id) ?? '', keysOf(row.role_ids))),

    /** To be called when names of tenants or roles may have changed: they are read once. */
    forgetNames(): void {
      tenantNames.forget()
      roleKeys.forget()
    },

    close: () => void connection.close(),
  }
}

export type Snapshots = ReturnType<typeof createSnapshots>
