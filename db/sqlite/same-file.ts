import { closeSync, fstatSync, openSync, statSync, type Stats } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type { Failure } from '../failure.js'
import { isLogOf, readIdentity } from './file-identity.js'

/** Milliseconds between two checks while nothing is written. */
const pause = 1000
/** Another process may move the log for this long: the file changes before the reason can be seen. Milliseconds. */
const patience = 5000

const advice = (path: string) =>
  `Stop every process that uses it, remove ${path}-wal and ${path}-shm, put the file that is to be used in its place, and start again`

export const notItsLog = (path: string): Error =>
  new Error(
    `the log ${path}-wal is not of this file, which has been replaced without it. ${advice(path)}. If the file of before is to be used, put it back instead`,
  )

/**
 * Throws when the log beside the file at `path` belongs to another file. Must be called before the first connection is
 * opened.
 */
export const checkLog = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size > 0 && !isLogOf(file, path)) throw notItsLog(path)
  } finally {
    closeSync(file)
  }
}

/**
 * Checks that the open database at `path` and its log are still the same files. When somebody has replaced or
 * overwritten them, SQLite would mix old and new data: that is a `failure`. `moved` returns how much of the log has
 * been moved to the database.
 */
export const createSameFile = (path: string, failure: Failure, moved: () => string) => {
  // Stays open until all connections are closed: closing any descriptor of the file releases the locks of this process.
  const file = openSync(path, 'r')
  const known = { file: fstatSync(file), log: statSync(`${path}-wal`), moved: moved() }
  let unexplainedSince: number | undefined
  let isMoving = false

  const fail = (what: string) => {
    failure.fail(new Sqlite.SqliteError(`${what} while it was in use. ${advice(path)}`, 'SQLITE_IOERR_REPLACED'))
  }
  const isSame = (name: string, { ino, dev }: Stats): Stats | undefined => {
    const found = statSync(name, { throwIfNoEntry: false })
    return found?.ino === ino && found.dev === dev ? found : undefined
  }
  const accept = (found: Stats, state: string) => {
    known.file = found
    known.moved = state
    unexplainedSince = undefined
  }

  /** Called when the file has changed, which is right only if the log was moved to it. */
  const lookInside = (found: Stats) => {
    if (readIdentity(file) === undefined || !isLogOf(file, path)) {
      fail(`The database ${path} has been overwritten`)
      return
    }
    const state = moved()
    unexplainedSince ??= performance.now()
    if (state !== known.moved) accept(found, state)
    else if (performance.now() - unexplainedSince > patience) fail(`The database ${path} has been overwritten`)
  }

  const look = () => {
    if (failure.current()) return
    const found = isSame(path, known.file)
    if (!found) fail(`The database ${path} has been replaced or removed`)
    else if (!isSame(`${path}-wal`, known.log)) fail(`The log ${path}-wal has been replaced or removed`)
    else if (!isMoving && (found.mtimeMs !== known.file.mtimeMs || found.size !== known.file.size)) lookInside(found)
  }
  const timer = setInterval(look, pause).unref()

  return {
    look,
    /** Runs `work`, which moves the log to the database. */
    async whileMoving(work: () => Promise<void>): Promise<void> {
      look()
      failure.check()
      isMoving = true
      try {
        await work()
      } finally {
        isMoving = false
        const found = isSame(path, known.file)
        if (found && isLogOf(file, path)) accept(found, moved())
        else look()
      }
    },
    stop: () => clearInterval(timer),
    /** Must be called after all connections are closed. */
    close: () => closeSync(file),
  }
}

export type SameFile = ReturnType<typeof createSameFile>
