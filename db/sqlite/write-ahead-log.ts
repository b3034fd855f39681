import type Sqlite from 'better-sqlite3'
import type { Failure } from '../failure.js'
import { countPages, createCheckpoints } from './checkpoints.js'
import type { AfterCommit } from './driver.js'
import { readLogStart } from './file-identity.js'
import { createFlush, type Disk } from './flush.js'
import { createSameFile } from './same-file.js'
import type { WriteLock } from './write-lock.js'

export interface WriteAheadLog extends Required<AfterCommit> {
  /** To be called before the connections are closed. */
  close: () => Promise<void>
  /** To be called when the connections are closed. */
  closed: () => void
}

/**
 * Writes the log of the database at `path` to the disk and moves it to the database, while both are still the same
 * files.
 */
export const createWriteAheadLog = (
  path: string,
  connections: { writer: Sqlite.Database; reader: Sqlite.Database },
  lock: WriteLock,
  failure: Failure,
  disk?: Disk,
): WriteAheadLog => {
  // The first read creates the log.
  connections.reader.prepare('select 1 from sqlite_schema').get()
  const pages = countPages(connections.reader)
  // The counts alone may be the same again, when each of several large transactions restarts the log.
  const moved = () => JSON.stringify([readLogStart(`${path}-wal`), pages()])
  const sameFile = createSameFile(path, failure, moved)
  const flushing = createFlush(path, failure, disk, sameFile.look)
  const checkpoints = createCheckpoints(path, connections, lock, failure, sameFile)
  return {
    committed: () => checkpoints.consider(),
    durable: () => flushing.flush(),
    async close() {
      await checkpoints.close()
      await flushing.close()
      sameFile.stop()
      sameFile.look()
    },
    closed: sameFile.close,
  }
}
