import type { LoopTime } from '../../lib/loop-time.js'
import type { RunFairly } from './fair-limiter.js'

/** Rows of the first step, which takes a millisecond or two. */
export const firstRows = 1000
const minRows = 50
const maxRows = 100_000
/** The next rows may be slower to read than the last ones. */
const maxGrowth = 2

/** How an engine reads lists. */
export interface StepSettings {
  runFairly: RunFairly
  /** Milliseconds that a step is to take. */
  stepTime: number
  /** Where a step holds the event loop: the time of all steps in one turn of it. */
  loopTime?: LoopTime
}

/** Whoever asks for a page of a list. */
export interface Reader {
  userId: number
  /** Called when the wait begins; may throw to refuse it. When `signal` is aborted, the page is rejected with its reason. */
  beginWaiting: () => { signal: AbortSignal; end: () => void }
  /** Called when a page takes more than a step; may throw to refuse it. */
  countList: () => void
}

/** Runs the steps of one page. */
export interface Steps {
  /** Runs `step` when there is time for it; `rows` is the number of rows that it may read. */
  run: <T>(step: (rows: number) => Promise<T>) => Promise<T>
}

/**
 * Reads a page of a list in steps. After each step another user who waits is served, so that a short list waits for a step of
 * each other user, not for their whole pages.
 */
export const createListReader =
  ({ runFairly, stepTime, loopTime }: StepSettings) =>
  async <T>({ userId, beginWaiting, countList }: Reader, read: (steps: Steps) => Promise<T>): Promise<T> => {
    const { signal, end } = beginWaiting()
    let rows = firstRows
    let count = 0

    const runNow = async <Result>(step: (rows: number) => Promise<Result>): Promise<Result> => {
      await loopTime?.next()
      signal.throwIfAborted()
      const start = performance.now()
      const result = await step(rows)
      const growth = stepTime / Math.max(performance.now() - start, 0.01)
      rows = Math.round(Math.min(maxRows, Math.max(minRows, rows * Math.min(growth, maxGrowth))))
      return result
    }

    const run = async <Result>(step: (rows: number) => Promise<Result>): Promise<Result> => {
      if (++count === 2) countList()
      return runFairly(userId, signal, () => runNow(step))
    }

    try {
      return await read({ run })
    } finally {
      end()
    }
  }

export type ListReader = ReturnType<typeof createListReader>
