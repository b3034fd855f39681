import type Sqlite from 'better-sqlite3'
import { listedColumns, toListedUser, type ListedRow, type ListedUser } from './listed-user.js'
import type { Statement } from './listing-sqlite.js'

/** A row with the keys of its roles as a JSON array. */
export type StoredRow = [...ListedRow, roleKeys: string]

const selectRows = `
  select ${listedColumns.join(', ')}, (
    select json_group_array(role_key) from (
      select role_key from user_roles join roles on roles.id = user_roles.role_id
      where user_roles.user_id = users.id order by roles.id
    )
  )
  from json_each(?) as wanted
  cross join users on users.id = wanted.value
  join tenants on tenants.id = users.tenant_id`

const noRoles = '[]'

export const fromStoredRow = (row: StoredRow): ListedUser => {
  const roleKeys = row[18]
  return toListedUser(row, roleKeys === noRoles ? [] : (JSON.parse(roleKeys) as string[]))
}

/**
 * A connection that reads without Kysely and without waiting: several reads that are of one moment. Blocks the thread:
 * here go reads of a few rows, everything else belongs into a worker.
 */
export const createSnapshots = (connection: Sqlite.Database) => {
  const begin = connection.prepare('begin')
  const commit = connection.prepare('commit')
  const rows = connection.prepare(selectRows).raw()

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
    prepareNumber: (sql: string) => {
      const statement = connection.prepare(sql).pluck()
      return (...parameters: number[]) => statement.get(parameters) as number | undefined
    },

    /** The rows of these users; ids that nobody has are left out. */
    rows: (ids: number[]): StoredRow[] => rows.all(JSON.stringify(ids)) as StoredRow[],

    close: () => void connection.close(),
  }
}

export type Snapshots = ReturnType<typeof createSnapshots>
