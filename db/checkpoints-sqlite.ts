import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import type { createMutex } from './mutex.js'

/** Pages in the write-ahead log that are worth moving to the database: what SQLite takes, too. */
const enough = 1000
/** A look at the log costs as much as a small query, and so is not taken after each commit. Milliseconds. */
const betweenLooks = 50
/** Should the thread not come round to it, the writer does it itself at last. Pages. */
export const tooMany = 16 * enough

/**
 * Moves the write-ahead log to the database in a thread of its own: it takes several waits for the disk, and the writer,
 * which SQLite leaves it to, would hold up everything meanwhile.
 */
export const createCheckpoints = (path: string, connection: Sqlite.Database, turn: ReturnType<typeof createMutex>) => {
  const state = connection.prepare<[], { log: number; checkpointed: number }>('pragma wal_checkpoint(noop)')
  let thread: Worker | undefined
  let running: Promise<void> | undefined
  let due: NodeJS.Timeout | undefined

  const pending = () => {
    const pages = state.get()
    return pages ? pages.log - pages.checkpointed : 0
  }

  const checkpoint = async () => {
    // No loaders or flags of the process: the thread needs none.
    thread ??= new Worker(new URL('checkpoint-thread.js', import.meta.url), { execArgv: [], workerData: path })
    thread.ref()
    const answer = once(thread, 'message')
    thread.postMessage('checkpoint')
    await answer
    thread.unref()
  }

  const runAll = async () => {
    await checkpoint()
    // SQLite starts the log anew only once all of it has been moved. The little that was written meanwhile is moved
    // while nobody writes: otherwise, under steady load, the log would grow for ever.
    await turn.acquire()
    try {
      await checkpoint()
    } finally {
      turn.release()
    }
  }

  const run = (work: () => Promise<void>): Promise<void> => {
    running ??= work()
      // The thread is gone: the next time starts another.
      .catch(() => void (thread = undefined))
      .then(() => void (running = undefined))
    return running
  }

  const look = () => {
    due = undefined
    if (!running && pending() >= enough) void run(runAll)
  }

  return {
    /** Starts the thread before it is needed; resolves when it has loaded its code. */
    start: () => run(checkpoint),
    /** To be called after a commit. */
    consider(): void {
      due ??= setTimeout(look, betweenLooks).unref()
    },
    async close(): Promise<void> {
      clearTimeout(due)
      await running
      await thread?.terminate()
    },
  }
}
