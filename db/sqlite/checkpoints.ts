import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { endThread } from '../../lib/end-thread.js'
import type { Failure } from '../failure.js'
import { carryIdentity, renewIdentity } from './file-identity.js'
import type { createMutex } from './mutex.js'
import type { SameFile } from './same-file.js'

/** Pages in the write-ahead log that are worth moving to the database: what SQLite takes, too. */
const enough = 1000
/** A look at the log costs as much as a small query, and so is not taken after each commit. Milliseconds. */
const betweenLooks = 50
/** Should the thread not come round to it, the writer does it itself at last. Pages. */
export const tooMany = 16 * enough

/** Asks how many pages are in the write-ahead log, and how many of them have been moved to the database. */
export const progress = (connection: Sqlite.Database) => {
  const state = connection.prepare<[], { log: number; checkpointed: number }>('pragma wal_checkpoint(noop)')
  return () => state.get() ?? { log: 0, checkpointed: 0 }
}

/**
 * Moves the write-ahead log to the database in a thread of its own: it takes several waits for the disk, and the writer,
 * which SQLite leaves it to, would hold up everything meanwhile.
 */
export const createCheckpoints = (
  path: string,
  { writer, reader }: { writer: Sqlite.Database; reader: Sqlite.Database },
  turn: ReturnType<typeof createMutex>,
  failure: Failure,
  sameFile: SameFile,
) => {
  const state = progress(reader)
  let thread: Worker | undefined
  let running: Promise<void> | undefined
  let due: NodeJS.Timeout | undefined

  const pending = () => {
    const { log, checkpointed } = state()
    return log - checkpointed
  }

  const startThread = (): Worker => {
    // No loaders or flags of the process: the thread needs none.
    const worker = new Worker(new URL('checkpoint-thread.js', import.meta.url), { execArgv: [], workerData: path })
    worker.on('error', () => undefined)
    // The next time starts another.
    worker.on('exit', () => {
      if (thread === worker) thread = undefined
    })
    return worker
  }

  /** Rejects when the thread ends without an answer: whoever waits may hold the write lock. */
  const askThread = async () => {
    const worker = (thread ??= startThread())
    const ended = new AbortController()
    const { signal } = ended
    worker.ref()
    const end = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('The thread has ended')))
    const answer = once(worker, 'message', { signal })
    worker.postMessage('checkpoint')
    const [code] = (await Promise.race([answer, end]).finally(() => ended.abort())) as [string | null]
    worker.unref()
    // The log may be lacking on the disk, and a second try would say that all is well.
    if (code === 'SQLITE_IOERR_FSYNC') failure.fail(new Sqlite.SqliteError('The disk did not take the log', code))
  }

  const checkpoint = () => sameFile.whileMoving(askThread)

  const runAll = async () => {
    await checkpoint()
    // SQLite starts the log anew only once all of it has been moved. The little that was written meanwhile is moved
    // while nobody writes: otherwise, under steady load, the log would grow for ever.
    await turn.acquire()
    try {
      renewIdentity(writer)
      await checkpoint()
      if (pending() === 0) carryIdentity(writer)
    } finally {
      turn.release()
    }
  }

  const run = (work: () => Promise<void>): Promise<void> => {
    running ??= work()
      // The log is kept, and moved another time.
      .catch(() => undefined)
      .then(() => void (running = undefined))
    return running
  }

  const look = () => {
    due = undefined
    sameFile.look()
    if (!running && !failure.current() && pending() >= enough) void run(runAll)
  }

  return {
    /** Starts the thread before it is needed; resolves when it has loaded its code. */
    start: () => run(runAll),
    /** To be called after a commit. */
    consider(): void {
      due ??= setTimeout(look, betweenLooks).unref()
    },
    async close(): Promise<void> {
      clearTimeout(due)
      await running
      if (thread) await endThread(thread)
    },
  }
}
