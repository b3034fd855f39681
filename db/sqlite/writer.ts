import { closeSync, openSync, statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { progress, tooMany } from './checkpoints.js'
import { carryIdentity, renewIdentity } from './file-identity.js'
import { busyTimeout } from './reader.js'
import { checkLog } from './same-file.js'

const ownerOnly = 0o600
/** While it opens, nothing is served yet, and it may stand still for a lock. Milliseconds. */
const openingTimeout = 5000

/** SQLite's own name for a database that ends with the process. */
export const memory = ':memory:'

/** Copies of the database from before this start are not of the log that now begins. */
const beginLog = (connection: Sqlite.Database) => {
  renewIdentity(connection)
  connection.pragma('wal_checkpoint(passive)')
  const { log, checkpointed } = progress(connection)()
  if (log === checkpointed) carryIdentity(connection)
}

/** Opens (and creates) the file at `path` for writing. */
export const openWriter = (path: string): Sqlite.Database => {
  // SQLite would create it for everybody to read; its companions take over the mode of the file.
  if (path !== memory) {
    closeSync(openSync(path, 'a', ownerOnly))
    checkLog(path)
  }
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  const connection = new Sqlite(path)
  connection.pragma(`busy_timeout = ${openingTimeout}`)
  connection.pragma('journal_mode = WAL')
  // Commits do not wait for the disk, which would hold up everything: `createFlush` does, without standing still.
  connection.pragma('synchronous = NORMAL')
  connection.pragma(`wal_autocheckpoint = ${tooMany}`)
  connection.pragma('foreign_keys = ON')
  connection.pragma(`busy_timeout = ${busyTimeout}`)
  if (path !== memory && !hasLog) beginLog(connection)
  return connection
}
