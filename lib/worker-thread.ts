import { Worker } from 'node:worker_threads'
import { endThread } from './end-thread.js'

export interface ThreadOptions {
  workerData?: unknown
  /** Milliseconds without a question after which the thread is ended, which frees its memory. Default: half a minute. */
  idleTime?: number
}

const halfAMinute = 30_000

/**
 * A worker thread that answers one message at a time with one message. It is started by the first message, and anew after
 * it has ended. While it is idle it does not keep the process alive.
 */
export const createWorkerThread = <Answer>(module: URL, { workerData, idleTime = halfAMinute }: ThreadOptions = {}) => {
  let worker: Worker | undefined
  let question: PromiseWithResolvers<Answer> | undefined
  let idle: NodeJS.Timeout | undefined
  /** Threads that are being ended, so that `close` can wait for them. */
  const ending = new Set<Promise<void>>()

  const end = async (): Promise<void> => {
    clearTimeout(idle)
    if (worker) {
      const ended = endThread(worker)
      worker = undefined
      ending.add(ended)
      void ended.finally(() => ending.delete(ended))
    }
    await Promise.all(ending)
  }

  const start = (): Worker => {
    // The thread needs no loaders or flags of the process.
    const started = new Worker(module, { workerData, execArgv: [] })
    const settle = (apply: (asked: PromiseWithResolvers<Answer>) => void) => {
      if (worker !== started) return
      const asked = question
      question = undefined
      started.unref()
      idle = setTimeout(() => void end(), idleTime).unref()
      if (asked) apply(asked)
    }
    const fail = (error: unknown) => {
      settle(({ reject }) => reject(error))
      if (worker === started) worker = undefined
    }
    started.on('message', (answer: Answer) => settle(({ resolve }) => resolve(answer)))
    started.on('error', fail)
    started.on('exit', () => fail(new Error('The worker thread has ended')))
    return started
  }

  return {
    /** Rejects when the thread fails or ends without an answer. The next question must wait for it. */
    ask(message: unknown): Promise<Answer> {
      clearTimeout(idle)
      worker ??= start()
      question = Promise.withResolvers<Answer>()
      worker.ref()
      worker.postMessage(message)
      return question.promise
    },

    async close(): Promise<void> {
      const asked = question
      question = undefined
      await end()
      asked?.reject(new Error('The worker thread has ended'))
    },
  }
}
