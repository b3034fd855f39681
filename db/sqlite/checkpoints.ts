import Sqlite from 'better-sqlite3'
import { createWorkerThread } from '../../lib/worker-thread.js'
import type { Failure } from '../failure.js'
import { carryIdentity, renewIdentity } from './file-identity.js'
import type { SameFile } from './same-file.js'
import type { WriteLock } from './write-lock.js'

/**
 * Pages in the write-ahead log from which it is moved to the database. With SQLite's default of 1000, pages of the list cost 4 %
 * more while 50 users a second are changed. Up to some 4000, a reader looks into one hash table to find a page in the log.
 */
const minPages = 4000
/** Milliseconds between two looks at the size of the log: a look costs as much as a small query. */
const lookInterval = 50
/** Pages from which the writer moves the log itself, should the thread be late. */
export const maxPages = 4 * minPages

/** Counts the pages in the write-ahead log and those of them that have been moved to the database. */
export const countPages = (connection: Sqlite.Database) => {
  const state = connection.prepare<[], { log: number; checkpointed: number }>('pragma wal_checkpoint(noop)')
  return () => state.get() ?? { log: 0, checkpointed: 0 }
}

/**
 * Moves the write-ahead log to the database in a thread of its own. By default SQLite does that in the connection that
 * commits, which would hold the event loop while the disk writes.
 */
export const createCheckpoints = (
  path: string,
  { writer, reader }: { writer: Sqlite.Database; reader: Sqlite.Database },
  lock: WriteLock,
  failure: Failure,
  sameFile: SameFile,
) => {
  const state = countPages(reader)
  const thread = createWorkerThread<string | null>(new URL('checkpoint-thread.js', import.meta.url), {
    workerData: path,
  })
  let running: Promise<void> | undefined
  let due: NodeJS.Timeout | undefined

  const pending = () => {
    const { log, checkpointed } = state()
    return log - checkpointed
  }

  /** Rejects when the thread ends without an answer, because the caller may hold the write lock. */
  const askThread = async () => {
    const code = await thread.ask('checkpoint')
    // The kernel reports a failed write once: a second try would succeed although the log is not on the disk.
    if (code === 'SQLITE_IOERR_FSYNC') failure.fail(new Sqlite.SqliteError('The disk did not take the log', code))
  }

  const checkpoint = () => sameFile.whileMoving(askThread)

  const runAll = async () => {
    await checkpoint()
    // SQLite reuses the log only when all of it has been moved. What was written in the meantime is moved under the write
    // lock, so that the log does not grow for ever under steady load.
    await lock.acquire()
    try {
      renewIdentity(writer)
      await checkpoint()
      if (pending() === 0) carryIdentity(writer)
    } finally {
      lock.release()
    }
  }

  const run = (work: () => Promise<void>): Promise<void> => {
    running ??= work()
      // The log is kept and moved next time.
      .catch(() => undefined)
      .then(() => void (running = undefined))
    return running
  }

  const look = () => {
    due = undefined
    sameFile.look()
    if (!running && !failure.current() && pending() >= minPages) void run(runAll)
  }

  return {
    /** To be called after a commit. */
    consider(): void {
      due ??= setTimeout(look, lookInterval).unref()
    },
    async close(): Promise<void> {
      clearTimeout(due)
      await running
      await thread.close()
    },
  }
}
