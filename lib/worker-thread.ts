import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { endThread } from './end-thread.js'

/**
 * A worker thread that answers one message at a time with one message. It is started by the first message, and anew after
 * it has ended. While it is idle it does not keep the process alive.
 */
export const createWorkerThread = <Answer>(module: URL, workerData: unknown) => {
  let worker: Worker | undefined

  const start = (): Worker => {
    // The thread needs no loaders or flags of the process.
    const started = new Worker(module, { workerData, execArgv: [] })
    const forget = () => {
      if (worker === started) worker = undefined
    }
    started.on('error', forget)
    started.on('exit', forget)
    return started
  }

  return {
    /** Rejects when the thread fails or ends without an answer. The next question must wait for it. */
    async ask(question: unknown): Promise<Answer> {
      const asked = (worker ??= start())
      const settled = new AbortController()
      const { signal } = settled
      const answer = once(asked, 'message', { signal })
      const end = once(asked, 'exit', { signal }).then(() => Promise.reject(new Error('The worker thread has ended')))
      asked.ref()
      asked.postMessage(question)
      const [value] = (await Promise.race([answer, end]).finally(() => {
        settled.abort()
        asked.unref()
      })) as [Answer]
      return value
    },

    async close(): Promise<void> {
      if (worker) await endThread(worker)
    },
  }
}
