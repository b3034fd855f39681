import type { Worker } from 'node:worker_threads'

/** Longer than any thread takes to end. Milliseconds. */
const longTime = 60_000

/**
 * Ends a worker thread. Resolves when it has ended, also where a late answer of the thread calls `unref` meanwhile: the
 * process would otherwise run out of work and exit while its caller still waits.
 */
export const endThread = async (worker: Worker): Promise<void> => {
  const processStays = setInterval(() => undefined, longTime)
  await worker.terminate()
  clearInterval(processStays)
}
