import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { createObservers } from '../../lib/observers.js'
import { endThread } from '../../lib/end-thread.js'
import { createHashQueue, type Requester } from './hash-queue.js'

/** The hash functions of a thread, with the arguments of their libraries. */
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
  /** When the job is refused if no thread has taken it, by `performance.now()`. */
  deadline: number
}

interface HashThread {
  worker: Worker
  /** The jobs in progress, which are answered together; undefined when the thread is idle. */
  batch: Job[] | undefined
}

const isIdle = ({ batch }: HashThread): boolean => batch === undefined

interface QueueLimits {
  /** Jobs that may wait for a thread in each group of requesters; more are refused. */
  queueLength: number
  /** Milliseconds that a job may wait for a thread; then it is refused. */
  maxWait: number
  /** The error of a refused job. */
  refusal: () => Error
}

/** One thread per core. */
const maxThreads = availableParallelism()
/**
 * Jobs that a thread takes and answers together. Hashing evicts the code of the event loop from the processor's caches, so
 * waking the event loop once for several sign-ins is cheaper: one by one there are 9 % fewer sign-ins a second.
 */
const maxBatch = 8

/**
 * Worker threads that hash passwords, up to one per core. Each starts when it is first needed, because it takes 12 MB of
 * memory. The thread pool of libuv is not used: Node.js needs it to look up host names and to read files.
 */
export const createHashThreads = ({ queueLength, maxWait, refusal }: QueueLimits) => {
  const threads: HashThread[] = []
  const waiting = createHashQueue<Job>(queueLength)
  let isTimerSet = false
  const waits = createObservers<[milliseconds: number]>()

  const start = (): HashThread => {
    // Without the loaders and flags of the process, which the thread does not need.
    const worker = new Worker(new URL('hash-thread.js', import.meta.url), { execArgv: [] })
    const thread: HashThread = { worker, batch: undefined }
    worker.on('message', (answers: Answer[]) => {
      const { batch = [] } = thread
      thread.batch = undefined
      dispatch()
      if (isIdle(thread)) worker.unref()
      const settle = (index: number): void => {
        const answer = answers[index]
        if (answer?.error) batch[index]?.reject(answer.error)
        else batch[index]?.resolve(answer?.result)
        // Other requests are answered in between.
        if (index + 1 < batch.length) setImmediate(settle, index + 1)
      }
      settle(0)
    })
    const end = (error: Error) => {
      const index = threads.indexOf(thread)
      if (index >= 0) threads.splice(index, 1)
      for (const job of thread.batch ?? []) job.reject(error)
      thread.batch = undefined
      dispatch()
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error('A password hash thread has ended unexpectedly')))
    threads.push(thread)
    return thread
  }

  const post = (thread: HashThread, batch: Job[]): void => {
    thread.batch = batch
    const now = performance.now()
    for (const { deadline } of batch) waits.tell(now - (deadline - maxWait))
    thread.worker.ref()
    thread.worker.postMessage(batch.map(({ name, values }) => ({ name, values })))
  }

  const findIdle = (): HashThread | undefined =>
    threads.find(isIdle) ?? (threads.length < maxThreads ? start() : undefined)

  const dispatch = (): void => {
    while (waiting.length > 0) {
      const thread = findIdle()
      if (!thread) return
      post(thread, waiting.take(Math.min(maxBatch, Math.ceil(waiting.length / maxThreads))))
    }
  }

  /** Refuses jobs whose deadline has passed. One timer serves all jobs. */
  const expireJobs = (): void => {
    const now = performance.now()
    for (const job of waiting.expire(now)) job.reject(refusal())
    isTimerSet = waiting.length > 0
    if (isTimerSet) setTimeout(expireJobs, Math.ceil(waiting.firstDeadline() - now)).unref()
  }

  return {
    /** Passwords that can be hashed at the same time. */
    capacity: maxThreads,

    /** Whether so many strangers wait that further ones should solve a captcha first. */
    isCrowded: (): boolean => waiting.isCrowded(),

    /** Jobs that wait for a thread. */
    waiting: () => waiting.length,

    /** Calls `listener` with the milliseconds that each job has waited for a thread. */
    onWait: waits.add,

    run: <N extends keyof HashWork>(
      requester: Requester,
      name: N,
      ...values: Parameters<HashWork[N]>
    ): Promise<ReturnType<HashWork[N]>> =>
      new Promise((resolve, reject) => {
        const deadline = performance.now() + maxWait
        const job: Job = { ...requester, name, values, resolve: resolve as Job['resolve'], reject, deadline }
        waiting.add(job)?.reject(refusal())
        dispatch()
        if (waiting.length > 0 && !isTimerSet) expireJobs()
      }),

    async close(): Promise<void> {
      for (const job of waiting.expire(Infinity)) job.reject(refusal())
      await Promise.all(threads.splice(0).map(({ worker }) => endThread(worker)))
    },
  }
}

export type HashThreads = ReturnType<typeof createHashThreads>
