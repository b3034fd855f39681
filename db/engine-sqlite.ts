import { closeSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteDialectConfig,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tables } from './tables.js'

/** A writer that waits longer than this for another process gives up, which is answered 503. Milliseconds. */
const longestWait = 5000
/** SQLite waits for a lock by standing still, and the whole process with it: so it waits only this long, and we the rest. */
const busyTimeout = 5
const pause = 10
const ownerOnly = 0o600
/** Filters and sort columns multiply into statements; this many stay prepared. */
const preparedStatements = 500

const isBusy = (error: unknown) => error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Repeats what finds the database locked by another process, without holding up this one. */
const withPatience = (connection: DatabaseConnection): DatabaseConnection => ({
  async executeQuery<R>(query: CompiledQuery) {
    const deadline = performance.now() + longestWait
    for (;;) {
      try {
        return await connection.executeQuery<R>(query)
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
      }
      await setTimeout(pause)
    }
  },
  streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
})

/** `begin` alone takes the write lock at the first write, and a lock taken that late ignores the busy timeout. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async acquireConnection() {
    return withPatience(await super.acquireConnection())
  }
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }
  override createDriver() {
    return new ImmediateSqliteDriver(this.#config)
  }
}

const withPreparedStatements = (connection: Sqlite.Database): SqliteDatabase => {
  const statements = new LRUCache<string, Sqlite.Statement>({ max: preparedStatements })
  return {
    close: () => connection.close(),
    prepare: (sql) => {
      let statement = statements.get(sql)
      if (!statement) {
        statement = connection.prepare(sql)
        statements.set(sql, statement)
      }
      return statement
    },
  }
}

/** Opens (and creates) the SQLite file at `path`. */
export const openSqlite = (path: string): Kysely<Tables> => {
  // SQLite would create it for everybody to read; its companions take over the mode of the file.
  if (path !== ':memory:') closeSync(openSync(path, 'a', ownerOnly))
  const connection = new Sqlite(path)
  // Nothing is served yet: while it opens, it may stand still.
  connection.pragma(`busy_timeout = ${longestWait}`)
  connection.pragma('journal_mode = WAL')
  // What was answered with 200 survives a power cut, not only a crash of the process.
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma(`busy_timeout = ${busyTimeout}`)
  return new Kysely<Tables>({ dialect: new ImmediateSqliteDialect({ database: withPreparedStatements(connection) }) })
}
