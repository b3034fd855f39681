import { OverloadError } from '../errors.js'

/** A queue that serves users one after the other (round-robin): a user with many waiting requests delays nobody else. */
const createRoundRobinQueue = <Waiter extends { userId: number }>() => {
  /** The waiting requests of each user, in the order in which the users are served. */
  const waiting = new Map<number, Waiter[]>()

  /** Returns whether the request was waiting. If so, its user comes after all others with the next one. */
  const remove = (waiter: Waiter): boolean => {
    const ofUser = waiting.get(waiter.userId) ?? []
    const rest = ofUser.filter((other) => other !== waiter)
    if (rest.length === ofUser.length) return false
    waiting.delete(waiter.userId)
    if (rest.length > 0) waiting.set(waiter.userId, rest)
    return true
  }

  return {
    remove,
    all: (): Waiter[] => [...waiting.values()].flat(),
    add: (waiter: Waiter) => void waiting.set(waiter.userId, [...(waiting.get(waiter.userId) ?? []), waiter]),

    /** Removes and returns the first request of the user who is next. */
    next(): Waiter | undefined {
      const [first] = waiting.values().next().value ?? []
      if (first) remove(first)
      return first
    },
  }
}

/** Lists and pages that wait at most; more are answered 503. */
const maxWaiting = 500

/** Lets `maxAtOnce` pieces of work run at once; the users of those that wait are served one after the other. */
export const createFairLimiter = (maxAtOnce: number) => {
  const queue = createRoundRobinQueue<{ userId: number; begin: () => void }>()
  let running = 0

  const wait = (userId: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      if (queue.all().length >= maxWaiting) throw new OverloadError('Too many lists are asked for')
      const giveUp = () => {
        if (queue.remove(waiter)) reject(signal?.reason as Error)
      }
      const waiter = {
        userId,
        begin() {
          // The steps of one request wait with the same signal.
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      queue.add(waiter)
      signal?.addEventListener('abort', giveUp)
    })

  const beginNext = () => {
    const next = queue.next()
    if (!next) return
    running++
    next.begin()
  }

  /** Runs `work` when its user is next, or rejects with the reason of `signal` before that. */
  return async <T>(userId: number, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    signal?.throwIfAborted()
    if (running < maxAtOnce) running++
    else await wait(userId, signal)
    try {
      return await work()
    } finally {
      running--
      beginNext()
    }
  }
}

export type RunFairly = ReturnType<typeof createFairLimiter>
