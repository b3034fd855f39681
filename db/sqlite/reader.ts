import Sqlite from 'better-sqlite3'

/** SQLite stands still with the whole process while it waits for a lock: it waits only this long, and the driver the rest. Milliseconds. */
export const busyTimeout = 5

/** A connection of its own for reading, which in WAL mode waits for no writer. There must be a writer already. */
export const openReader = (path: string, timeout = busyTimeout): Sqlite.Database => {
  const connection = new Sqlite(path, { readonly: true })
  connection.pragma(`busy_timeout = ${timeout}`)
  return connection
}
