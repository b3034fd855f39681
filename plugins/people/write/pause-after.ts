import { setTimeout } from 'node:timers/promises'

/**
 * Runs one of many short transactions, then waits for as long as it took, so that other writers, including those of other
 * processes, get the write lock in between.
 */
export const pauseAfter = async <T>(transaction: () => Promise<T>): Promise<T> => {
  const start = performance.now()
  const result = await transaction()
  await setTimeout(performance.now() - start)
  return result
}
