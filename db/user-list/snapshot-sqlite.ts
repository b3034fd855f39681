import type Sqlite from 'better-sqlite3'
import { listedColumns, toListedUser, type ListedRow, type ListedUser } from './listed-user.js'
import type { Statement } from './listing-sqlite.js'

const columns = listedColumns.join(', ')
/** The users of a JSON array of ids, in its order, and their roles. */
const someUsers = {
  rows: `select ${columns} from json_each(?) as wanted cross join users on users.id = wanted.value`,
  roles: 'select user_id, role_id from json_each(?) as wanted cross join user_roles on user_id = wanted.value',
}
/** The users between two ids, both inclusive, in the order of their ids. */
const usersBetween = {
  rows: `select ${columns} from users where id between ? and ? order by id`,
  roles: 'select user_id, role_id from user_roles where user_id between ? and ?',
}

type Assignment = [userId: number, roleId: number]

/** So many names are remembered at most. */
const mostNames = 10_000

/** Names that many users share: read once, until they are forgotten. */
const createNames = (connection: Sqlite.Database, sql: string) => {
  const select = connection.prepare<[number], string>(sql).pluck()
  const names = new Map<number, string>()
  return {
    find(id: number): string | undefined {
      const known = names.get(id)
      if (known !== undefined) return known
      const name = select.get(id)
      if (names.size >= mostNames) names.clear()
      if (name !== undefined) names.set(id, name)
      return name
    },
    forget: () => names.clear(),
  }
}

/**
 * A connection that reads without Kysely and without waiting: several reads that are of one moment. Blocks the thread:
 * here go reads of a few rows, everything else belongs into a worker.
 */
export const createSnapshots = (connection: Sqlite.Database) => {
  const begin = connection.prepare('begin')
  const commit = connection.prepare('commit')
  const tenantNames = createNames(connection, 'select tenant_name from tenants where id = ?')
  const roleKeys = createNames(connection, 'select role_key from roles where id = ?')

  const groupRoles = (assignments: Assignment[]): Map<number, string[]> => {
    const roles = new Map<number, string[]>()
    for (const [userId, roleId] of assignments.sort(([, one], [, other]) => one - other)) {
      const key = roleKeys.find(roleId)
      if (key !== undefined) roles.set(userId, [...(roles.get(userId) ?? []), key])
    }
    return roles
  }

  const prepareUsers = (selection: typeof someUsers) => {
    const rows = connection.prepare<unknown[], ListedRow>(selection.rows).raw()
    const assignments = connection.prepare<unknown[], Assignment>(selection.roles).raw()
    return (...parameters: (string | number)[]): ListedUser[] => {
      const roles = groupRoles(assignments.all(...parameters))
      return rows.all(...parameters).flatMap((row) => {
        const tenantName = tenantNames.find(row[1])
        return tenantName === undefined ? [] : toListedUser(row, tenantName, roles.get(row[0]) ?? [])
      })
    }
  }
  const selectSome = prepareUsers(someUsers)

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
    users: (ids: number[]): ListedUser[] => selectSome(JSON.stringify(ids)),

    /** The users with ids from the first to the second, both inclusive, in the order of their ids. */
    usersBetween: prepareUsers(usersBetween) as (first: number, last: number) => ListedUser[],

    /** To be called when names of tenants or roles may have changed: they are read once. */
    forgetNames(): void {
      tenantNames.forget()
      roleKeys.forget()
    },

    close: () => void connection.close(),
  }
}

export type Snapshots = ReturnType<typeof createSnapshots>
