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

/** A writer that waits longer than this for another process answers 503. Milliseconds. */
const busyTimeout = 5000
/** Filters and sort columns multiply into statements; this many stay prepared. */
const preparedStatements = 500

/** `begin` alone takes the write lock at the first write, and a lock taken that late ignores the busy timeout. */
class ImmediateSqliteDriver extends SqliteDriver {
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
  const connection = new Sqlite(path)
  connection.pragma(`busy_timeout = ${busyTimeout}`)
  connection.pragma('journal_mode = WAL')
  // What was answered with 200 survives a power cut, not only a crash of the process.
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  return new Kysely<Tables>({ dialect: new ImmediateSqliteDialect({ database: withPreparedStatements(connection) }) })
}
