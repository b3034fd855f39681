import { close, closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import type { Failure } from '../failure.js'

/** Resolves once what was written to an open file is on its disk. */
export type Disk = (file: number) => Promise<void>

const machine: Disk = (file) =>
  new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())))
const closeFile = promisify(close)

/**
 * Work that was done together ends turn after turn of the event loop, and for so many turns a flush waits for the next
 * commit as long as each brings one: a flush wakes three threads, each at the cost of whoever computes meanwhile.
 */
const longestWait = 8

/** The kernel tells a fault of the disk once and forgets what was to be written: a second try would say that all is well. */
const notWritten = (cause: unknown) =>
  new Sqlite.SqliteError(
    `What was written last may not be on the disk: ${String(cause)}. Look at the disk, then start Rollcall again`,
    'SQLITE_IOERR_FSYNC',
  )

/** A new file is on the disk once its name is there, too. */
const flushNames = (directory: string): void => {
  // Windows opens no directories, and has no need to.
  if (process.platform === 'win32') return
  const file = openSync(directory, 'r')
  fsyncSync(file)
  closeSync(file)
}

/**
 * Waits until the write-ahead log of the database at `path`, which must be open already, is on the disk. SQLite would
 * stand still for that, and the whole process with it; here a thread of the system waits, and commits that come while
 * one flush is under way share the next. The first that fails is a `failure` of the database; `look` looks for others before
 * anything is answered for.
 */
export const createFlush = (path: string, failure: Failure, disk = machine, look: () => void = () => undefined) => {
  // SQLite takes no locks on this file, so that a descriptor of our own does not lose it any (as it would on the
  // database itself). It is the same file for as long as a connection is open.
  const file = openSync(`${path}-wal`, 'r+')
  flushNames(dirname(path))
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let commits = 0

  /** Until a turn of the event loop has brought no further commit. */
  const gather = async () => {
    for (let turns = 0, known = -1; known < commits && turns < longestWait; turns++) {
      known = commits
      await setImmediate()
    }
  }

  const run = async () => {
    // A flush that was under way before the commit need not cover it.
    await running.catch(() => undefined)
    await gather()
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
    flush(): Promise<void> {
      commits++
      return (next ??= run())
    },
    async close(): Promise<void> {
      await (next ?? running).catch(() => undefined)
      await closeFile(file)
    },
  }
}

export type Flush = ReturnType<typeof createFlush>
