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
  /** The jobs that it works on, which are answered together; undefined when it has nothing to do. */
  batch: Job[] | undefined
}

const isIdle = ({ batch }: HashThread): boolean => batch === undefined

interface Patience {
  /** So many jobs may wait for a thread in each share of the queue; more are refused. */
  queueLength: number
  /** For so long, milliseconds. */
  maxWait: number
  /** What a job is refused with that cannot wait, or not any longer. */
  refusal: () => Error
}

/** Threads: one for each core. */
const count = availableParallelism()
/**
 * At most this many waiting passwords are hashed and answered together. Hashing empties the caches of the processor, so that one
 * call of the event loop costs as much as several sign-ins that it answers in one turn (one by one: 9 % fewer sign-ins).
 */
const maxBatch = 8

/**
 * Threads that hash passwords, up to one per core. Each is started when it is first needed, because it takes 12 MB of
 * memory. They are not those of libuv's pool, which Node.js needs to look up host names and to read files.
 */
export const createHashThreads = ({ queueLength, maxWait, refusal }: Patience) => {
  const threads: HashThread[] = []
  const waiting = createHashQueue<Job>(queueLength)
  let isWatched = false

  const start = (): HashThread => {
    // No loaders or flags of the process: the thread needs none.
    const worker = new Worker(new URL('hash-thread.js', import.meta.url), { execArgv: [] })
    const thread: HashThread = { worker, batch: undefined }
    worker.on('message', (answers: Answer[]) => {
      const { batch = [] } = thread
      thread.batch = undefined
      handOut()
      if (isIdle(thread)) worker.unref()
      // In one turn of the event loop, so that their commits share a flush to the disk.
      for (const [index, job] of batch.entries()) {
        const answer = answers[index]
        if (answer?.error) job.reject(answer.error)
        else job.resolve(answer?.result)
      }
    })
    const end = (error: Error) => {
      const index = threads.indexOf(thread)
      if (index >= 0) threads.splice(index, 1)
      for (const job of thread.batch ?? []) job.reject(error)
      thread.batch = undefined
      handOut()
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error('A thread that hashes has ended')))
    threads.push(thread)
    return thread
  }

  const give = (thread: HashThread, batch: Job[]): void => {
    thread.batch = batch
    thread.worker.ref()
    thread.worker.postMessage(batch.map(({ name, values }) => ({ name, values })))
  }

  const findFree = (): HashThread | undefined => threads.find(isIdle) ?? (threads.length < count ? start() : undefined)

  const handOut = (): void => {
    while (waiting.length > 0) {
      const thread = findFree()
      if (!thread) return
      give(thread, waiting.take(Math.min(maxBatch, Math.ceil(waiting.length / count))))
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
    /** Jobs that are hashed at once, one in each thread. */
    capacity: count,

    /** Whether so many strangers wait that further ones should show first that they are people. */
    isCrowded: (): boolean => waiting.isCrowded(),

    run: <N extends keyof HashWork>(
      requester: Requester,
      name: N,
      ...values: Parameters<HashWork[N]>
    ): Promise<ReturnType<HashWork[N]>> =>
      new Promise((resolve, reject) => {
        const deadline = performance.now() + maxWait
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
