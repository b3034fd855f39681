import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of a turn of the event loop for work of many items. */
const itemTime = 4

/**
 * Limits the work of all who share it together in one turn of the event loop, so that other requests do not wait for it. With SQLite an
 * `await` of a query alone lets nobody else in.
 */
export const createLoopTime = (milliseconds = itemTime) => {
  let deadline: number | undefined

  /** The first item of a turn always has time. */
  const hasTime = (): boolean => {
    if (deadline !== undefined) return performance.now() < deadline
    deadline = performance.now() + milliseconds
    setImmediate(() => (deadline = undefined))
    return true
  }

  return {
    /** Resolves when there is time for another item; those that wait come one after the other. */
    async next(): Promise<void> {
      while (!hasTime()) await nextTurn()
    },
  }
}

export type LoopTime = ReturnType<typeof createLoopTime>
