import { availableParallelism } from 'node:os'
import { createObservers } from '../../../lib/observers.js'
import { createWorkerThread } from '../../../lib/worker-thread.js'
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

/** Who waits for a hash, and whether it takes much longer than a new one. */
type HashRequest = Requester & { isSlow?: boolean }

interface Job extends HashRequest {
  name: keyof HashWork
  values: unknown[]
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** When the job is refused if no thread has taken it, by `performance.now()`. */
  deadline: number
}

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

const threadModule = new URL('hash-thread.js', import.meta.url)

/**
 * Worker threads that hash passwords, up to one per core. Each starts when it is needed and ends after half a minute without
 * work, because it takes 12 MB of memory. The thread pool of libuv is not used: Node.js needs it to look up host names and to read files.
 */
export const createHashThreads = ({ queueLength, maxWait, refusal }: QueueLimits) => {
  const threads = Array.from({ length: maxThreads }, () => ({
    thread: createWorkerThread<Answer[]>(threadModule),
    isIdle: true,
  }))
  const ordinary = createHashQueue<Job>(queueLength)
  /** A slow hash waits for no batch and holds one thread at most, so that those who wait for others hardly notice it. */
  const slow = createHashQueue<Job>(queueLength)
  const queues = [ordinary, slow]
  let isSlowRunning = false
  let isSlowNext = false
  let isTimerSet = false
  const waiting = () => ordinary.length + slow.length
  const expire = (now: number): Job[] => queues.flatMap((queue) => queue.expire(now))
  const waits = createObservers<[milliseconds: number]>()

  const settle = (batch: Job[], answers: Answer[], index = 0): void => {
    const answer = answers[index]
    if (answer?.error) batch[index]?.reject(answer.error)
    else batch[index]?.resolve(answer?.result)
    // Other requests are answered in between.
    if (index + 1 < batch.length) setImmediate(settle, batch, answers, index + 1)
  }

  /** The jobs for a thread that is idle; none when only slow ones wait and one is running. Both queues are served alternately. */
  const takeBatch = (): Job[] => {
    const isSlow = slow.length > 0 && !isSlowRunning && (isSlowNext || ordinary.length === 0)
    isSlowNext = !isSlow
    return isSlow ? slow.take(1) : ordinary.take(Math.min(maxBatch, Math.ceil(ordinary.length / maxThreads)))
  }

  const work = async (hashThread: (typeof threads)[number], batch: Job[]): Promise<void> => {
    const isSlow = batch[0]?.isSlow === true
    hashThread.isIdle = false
    if (isSlow) isSlowRunning = true
    const now = performance.now()
    for (const { deadline } of batch) waits.tell(now - (deadline - maxWait))
    const end = (use: () => void) => {
      hashThread.isIdle = true
      if (isSlow) isSlowRunning = false
      dispatch()
      use()
    }
    await hashThread.thread.ask(batch.map(({ name, values }) => ({ name, values }))).then(
      (answers) => end(() => settle(batch, answers)),
      (error: unknown) => end(() => batch.forEach(({ reject }) => reject(error))),
    )
  }

  const dispatch = (): void => {
    while (ordinary.length > 0 || (slow.length > 0 && !isSlowRunning)) {
      // The first one, so that the others end when one is enough.
      const idle = threads.find(({ isIdle }) => isIdle)
      if (!idle) return
      void work(idle, takeBatch())
    }
  }

  /** Refuses jobs whose deadline has passed. One timer serves all jobs. */
  const expireJobs = (): void => {
    const now = performance.now()
    for (const job of expire(now)) job.reject(refusal())
    isTimerSet = waiting() > 0
    const first = Math.min(...queues.map((queue) => queue.firstDeadline()))
    if (isTimerSet) setTimeout(expireJobs, Math.ceil(first - now)).unref()
  }

  return {
    /** Passwords that can be hashed at the same time. */
    capacity: maxThreads,

    /** Whether so many strangers wait that further ones should solve a captcha first. */
    isCrowded: (): boolean => queues.some((queue) => queue.isCrowded()),

    /** Jobs that wait for a thread. */
    waiting,

    /** Calls `listener` with the milliseconds that each job has waited for a thread. */
    onWait: waits.add,

    run: <N extends keyof HashWork>(
      request: HashRequest,
      name: N,
      ...values: Parameters<HashWork[N]>
    ): Promise<ReturnType<HashWork[N]>> =>
      new Promise((resolve, reject) => {
        const deadline = performance.now() + maxWait
        const job: Job = { ...request, name, values, resolve: resolve as Job['resolve'], reject, deadline }
        const queue = job.isSlow ? slow : ordinary
        queue.add(job)?.reject(refusal())
        dispatch()
        if (waiting() > 0 && !isTimerSet) expireJobs()
      }),

    async close(): Promise<void> {
      for (const job of expire(Infinity)) job.reject(refusal())
      await Promise.all(threads.map(({ thread }) => thread.close()))
    },
  }
}
