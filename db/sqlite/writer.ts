import { closeSync, openSync, statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { countPages, maxPages } from './checkpoints.js'
import { carryIdentity, renewIdentity } from './file-identity.js'
import { busyTimeout } from './reader.js'
import { checkLog } from './same-file.js'

const ownerOnly = 0o600
/** Opening may block for this long: nothing is served yet. Milliseconds. */
const openingTimeout = 5000

/** A new log begins: it must not be applied to copies of the database that are older (see file-identity.ts). */
const beginLog = (connection: Sqlite.Database) => {
  renewIdentity(connection)
  connection.pragma('wal_checkpoint(passive)')
  const { log, checkpointed } = countPages(connection)()
  if (log === checkpointed) carryIdentity(connection)
}

/** Opens (and creates) the file at `path` for writing. */
export const openWriter = (path: string): Sqlite.Database => {
  // SQLite would create a file that everybody can read; the log takes over the mode of the file.
  closeSync(openSync(path, 'a', ownerOnly))
  checkLog(path)
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  const connection = new Sqlite(path)
  connection.pragma(`busy_timeout = ${openingTimeout}`)
  connection.pragma('journal_mode = WAL')
  // A commit does not wait for the disk, because that would hold the event loop: flush.ts waits for it in a thread.
  connection.pragma('synchronous = NORMAL')
  connection.pragma(`wal_autocheckpoint = ${maxPages}`)
  connection.pragma('foreign_keys = ON')
  connection.pragma(`busy_timeout = ${busyTimeout}`)
  if (!hasLog) beginLog(connection)
  return connection
}
