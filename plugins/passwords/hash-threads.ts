import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What a thread can do, with the arguments of the libraries. */
export interface HashWork {
  hash: (password: string, parameters: object) => string
  argon2: (stored: string, password: string) => boolean
  bcrypt: (password: string, stored: string) => boolean
}

interface Answer {
  result: unknown
  error?: Error
}

const start = (): Worker => {
  // No loaders or flags of the process: the thread needs none.
  const thread = new Worker(new URL('hash-thread.js', import.meta.url), { execArgv: [] })
  thread.unref()
  return thread
}

/**
 * Threads that hash, started when they are first needed. The pool of the system, which looks up names and reads files,
 * is left to those.
 */
export const createHashThreads = () => {
  const idle: Worker[] = []

  return {
    async run<N extends keyof HashWork>(name: N, ...values: Parameters<HashWork[N]>): Promise<ReturnType<HashWork[N]>> {
      const thread = idle.pop() ?? start()
      thread.ref()
      thread.postMessage({ name, values })
      // A thread that ends by an error makes this throw, and is not used again.
      const [{ result, error }] = (await once(thread, 'message')) as [Answer]
      thread.unref()
      idle.push(thread)
      if (error) throw error
      return result as ReturnType<HashWork[N]>
    },

    async close(): Promise<void> {
      await Promise.all(idle.splice(0).map((thread) => thread.terminate()))
    },
  }
}

export type HashThreads = ReturnType<typeof createHashThreads>
