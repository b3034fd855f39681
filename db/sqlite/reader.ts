import Sqlite from 'better-sqlite3'

/**
 * SQLite blocks the event loop while it waits for a lock: it waits only this long, and the driver waits the rest.
 * Milliseconds.
 */
export const busyTimeout = 5

/**
 * Each commit of another connection empties the cache of a reader: a large one costs memory and saves nothing. Enough for the inner
 * pages of the indexes of a million users. In KiB, negative as SQLite wants it.
 */
const cacheSize = -4000

/** Opens a connection for reading, which in WAL mode never waits for a writer. A writer must be open already. */
export const openReader = (path: string, timeout = busyTimeout): Sqlite.Database => {
  const connection = new Sqlite(path, { readonly: true })
  connection.pragma(`busy_timeout = ${timeout}`)
  connection.pragma(`cache_size = ${cacheSize}`)
  return connection
}
