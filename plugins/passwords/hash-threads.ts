import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { endThread } from '../../lib/end-thread.js'
import { createHashQueue, type Requester } from './hash-queue.js'

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

interface Job extends Requester {
  name: keyof HashWork
  values: unknown[]
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  /** Until when it waits for a thread (`performance.now()`). */
  deadline: number
}

interface HashThread {
  worker: Worker
  /** What it has been given and not answered yet, in order; all jobs of a batch are answered together. */
  batches: Job[][]
}

interface Patience {
  /** So many jobs may wait for a thread in each share of the queue; more are refused. */
  queueLength: number
  /** For so long, milliseconds. */
  longestWait: number
  /** What a job is refused with that cannot wait, or not any longer. */
  refusal: () => Error
}

/** One for each core. */
const count = availableParallelism()
/** While the event loop is busy, a thread goes on with the next batch, which lies there already. */
const batchesEach = 2
/**
 * When many wait, so many are hashed and answered together. Hashing leaves nothing of the event loop in the caches of
 * the processor, so that each time it is called costs as much as several sign-ins that are dealt with in one go.
 */
const longestBatch = 8

/**
 * Threads that hash. A server starts all of them when it listens, a command those that it needs. The pool of the system,
 * which looks up names and reads files, is left to those.
 */
export const createHashThreads = ({ queueLength, longestWait, refusal }: Patience) => {
  const threads: HashThread[] = []
  const waiting = createHashQueue<Job>(queueLength)
  let isWatched = false

  const start = (): HashThread => {
    // No loaders or flags of the process: the thread needs none.
    const worker = new Worker(new URL('hash-thread.js', import.meta.url), { execArgv: [] })
    const thread: HashThread = { worker, batches: [] }
    worker.on('message', (answers: Answer[]) => {
      const batch = thread.batches.shift() ?? []
      handOut()
      if (thread.batches.length === 0) worker.unref()
      // All in one turn: the first costs as much as the next five, and they share a commit's way to the disk.
      for (const [index, job] of batch.entries()) {
        const answer = answers[index]
        if (answer?.error) job.reject(answer.error)
        else job.resolve(answer?.result)
      }
    })
    const end = (error: Error) => {
      const index = threads.indexOf(thread)
      if (index >= 0) threads.splice(index, 1)
      for (const job of thread.batches.splice(0).flat()) job.reject(error)
      handOut()
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error('A thread that hashes has ended')))
    threads.push(thread)
    return thread
  }

  /** Resolves when a thread answers, be it that it has ended. */
  const loaded = ({ worker, batches }: HashThread): Promise<unknown> =>
    new Promise((resolve) => {
      batches.push([])
      worker.postMessage([])
      worker.once('message', resolve).once('exit', resolve)
    })

  /** The thread with the least to do, if one can take more. */
  const free = (): HashThread | undefined => {
    const [thread] = threads.toSorted((one, other) => one.batches.length - other.batches.length)
    if (!thread || (thread.batches.length > 0 && threads.length < count)) return start()
    return thread.batches.length < batchesEach ? thread : undefined
  }

  const handOut = (): void => {
    while (waiting.length > 0) {
      const thread = free()
      if (!thread) return
      const batch = waiting.take(Math.min(longestBatch, Math.ceil(waiting.length / count)))
      thread.batches.push(batch)
      thread.worker.ref()
      thread.worker.postMessage(batch.map(({ name, values }) => ({ name, values })))
    }
  }

  /** Refuses those that have waited too long; one timer serves all of them. */
  const watch = (): void => {
    const now = performance.now()
    for (const job of waiting.expire(now)) job.reject(refusal())
    isWatched = waiting.length > 0
    if (isWatched) setTimeout(watch, Math.ceil(waiting.firstDeadline() - now)).unref()
  }

  return {
    /** So many jobs at once keep all threads busy. */
    capacity: count * batchesEach,

    /**
     * Starts all threads and resolves when they have loaded their code, so that none is loaded later, when a newer build
     * may have taken the place of this one.
     */
    async start(): Promise<void> {
      while (threads.length < count) start()
      await Promise.all(threads.map(loaded))
    },

    /** Whether so many strangers wait that further ones should show first that they are people. */
    isCrowded: (): boolean => waiting.isCrowded(),

    run: <N extends keyof HashWork>(
      requester: Requester,
      name: N,
      ...values: Parameters<HashWork[N]>
    ): Promise<ReturnType<HashWork[N]>> =>
      new Promise((resolve, reject) => {
        const deadline = performance.now() + longestWait
        const job: Job = { ...requester, name, values, resolve: resolve as Job['resolve'], reject, deadline }
        waiting.add(job)?.reject(refusal())
        handOut()
        if (waiting.length > 0 && !isWatched) watch()
      }),

    async close(): Promise<void> {
      for (const job of waiting.expire(Infinity)) job.reject(refusal())
      await Promise.all(threads.splice(0).map(({ worker }) => endThread(worker)))
    },
  }
}

export type HashThreads = ReturnType<typeof createHashThreads>
