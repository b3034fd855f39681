import { setTimeout } from 'node:timers/promises'

/** A failure after which `retry` does not try again. */
export class FinalError extends Error {}

/** Runs `work`, and again after a failure, `retries` times at most. The delay, milliseconds, doubles each time. */
export const retry = async <T>(work: () => Promise<T>, retries: number, delay: number): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (retries === 0 || error instanceof FinalError) throw error
    await setTimeout(delay)
    return retry(work, retries - 1, delay * 2)
  }
}
