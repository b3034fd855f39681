import type { Worker } from 'node:worker_threads'

/** No thread takes this long to end. Milliseconds. */
const longTime = 60_000

/**
 * Ends a worker thread; resolves when it has ended. The timer keeps the process alive until then: a late answer of the thread
 * may call `unref`, and the process would exit while the caller still waits.
 */
export const endThread = async (worker: Worker): Promise<void> => {
  const keepAlive = setInterval(() => undefined, longTime)
  await worker.terminate()
  clearInterval(keepAlive)
}
