import { close, closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import type { Failure } from '../failure.js'

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

/** A new file survives a power cut only when its directory entry is on the disk, too. */
const flushNames = (directory: string): void => {
  // Windows neither allows nor needs this.
  if (process.platform === 'win32') return
  const file = openSync(directory, 'r')
  fsyncSync(file)
  closeSync(file)
}

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
  flushNames(dirname(path))
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const run = async () => {
    // A flush that began before the commit may not cover it.
    await running.catch(() => undefined)
    // The other commits of this turn of the event loop share the flush: sign-ins end several at a time.
    await setImmediate()
    next = undefined
    failure.check()
    running = disk(file)
    await running.catch((error: unknown) => {
      throw failure.fail(notWritten(error))
    })
    look()
    failure.check()
  }

  return {
    /** Resolves when all commits so far are on the disk. */
    flush: (): Promise<void> => (next ??= run()),
    async close(): Promise<void> {
      await (next ?? running).catch(() => undefined)
      await closeFile(file)
    },
  }
}

export type Flush = ReturnType<typeof createFlush>
