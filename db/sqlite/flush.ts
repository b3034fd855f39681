import { close, fdatasync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { createTogether } from '../../lib/together.js'
import type { Failure } from '../failure.js'
import { flushDirectory } from './copies.js'

/** Resolves when everything written to an open file is on its disk. */
export type Disk = (file: number) => Promise<void>

const machine: Disk = (file) =>
  new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())))
const closeFile = promisify(close)

/** The kernel reports a failed write once and drops the data: a second try would succeed although the data is lost. */
const notWritten = (cause: unknown) =>
  new Sqlite.SqliteError(
    `What was written last may not be on the disk: ${String(cause)}. Look at the disk, then start Rollcall again`,
    'SQLITE_IOERR_FSYNC',
  )

/**
 * Waits in a thread of the system until the write-ahead log of the open database at `path` is on the disk; SQLite
 * itself would block the event loop for that. Commits that arrive while a flush is under way share the next one. The
 * first flush that fails is a `failure` of the database; `look` looks for other failures before a commit is reported as
 * durable.
 */
export const createFlush = (path: string, failure: Failure, disk = machine, look: () => void = () => undefined) => {
  // SQLite locks the database file, not its log: closing this descriptor loses no lock. The log stays the same file while
  // a connection is open.
  const file = openSync(`${path}-wal`, 'r+')
  flushDirectory(dirname(path))
  // A flush that began before a commit may not cover it. The commits of one turn of the event loop share one: sign-ins end several at a
  // time.
  const flushTogether = createTogether(
    async (commits: undefined[]) => {
      failure.check()
      await disk(file).catch((error: unknown) => {
        throw failure.fail(notWritten(error))
      })
      look()
      failure.check()
      return commits
    },
    { atOnce: 1, maxSize: Infinity },
  )
  let latest: Promise<void> = Promise.resolve()

  return {
    /** Resolves when all commits so far are on the disk. */
    flush: (): Promise<void> => (latest = flushTogether(undefined)),
    async close(): Promise<void> {
      await latest.catch(() => undefined)
      await closeFile(file)
    },
  }
}
