import { closeSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Dialect } from 'kysely'
import { SqliteDriver } from './driver-sqlite.js'
import { OpenError } from './outage.js'
import type { Tables } from './tables.js'

const ownerOnly = 0o600
/** While it opens, nothing is served yet, and it may stand still for a lock. Milliseconds. */
const openingTimeout = 5000
/** Later SQLite would stand still with the whole process: it waits only this long, and the driver the rest. Milliseconds. */
const busyTimeout = 5
const memory = ':memory:'

const openWriter = (path: string): Sqlite.Database => {
  // SQLite would create it for everybody to read; its companions take over the mode of the file.
  if (path !== memory) closeSync(openSync(path, 'a', ownerOnly))
  const connection = new Sqlite(path)
  connection.pragma(`busy_timeout = ${openingTimeout}`)
  connection.pragma('journal_mode = WAL')
  // What was answered with 200 survives a power cut, not only a crash of the process.
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma(`busy_timeout = ${busyTimeout}`)
  return connection
}

/** A connection of its own for reading, which in WAL mode waits for no writer. */
export const openReader = (path: string, timeout = busyTimeout): Sqlite.Database => {
  const connection = new Sqlite(path)
  connection.pragma(`busy_timeout = ${timeout}`)
  connection.pragma('query_only = ON')
  return connection
}

/** Opens (and creates) the SQLite file at `path`. Throws an `OpenError` when it cannot. */
export const openSqlite = (path: string): Kysely<Tables> => {
  try {
    const writer = openWriter(path)
    const reader = path === memory ? writer : openReader(path)
    const dialect: Dialect = {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver(writer, reader),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    }
    return new Kysely<Tables>({ dialect })
  } catch (cause) {
    throw new OpenError(path, cause as Error)
  }
}
