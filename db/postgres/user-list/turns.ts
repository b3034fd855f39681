import { OverloadError } from '../../outage.js'

/** Pages that wait at most; more are answered 503. */
const maxWaiting = 500

interface Waiter {
  begin: () => void
}

/** Lets `maxAtOnce` pieces of work run at once. Their users take turns: who asks for many pages delays nobody else. */
export const createTurns = (maxAtOnce: number) => {
  /** Those who wait, by user, in the order of the turns. */
  const waiting = new Map<number, Waiter[]>()
  let running = 0
  let count = 0

  const remove = (userId: number, waiter: Waiter): void => {
    const rest = (waiting.get(userId) ?? []).filter((other) => other !== waiter)
    // The user comes after all others.
    waiting.delete(userId)
    if (rest.length > 0) waiting.set(userId, rest)
    count--
  }

  const beginNext = () => {
    const [next] = waiting
    const [userId, [first] = []] = next ?? []
    if (userId === undefined || !first) return
    remove(userId, first)
    running++
    first.begin()
  }

  const wait = (userId: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      if (count >= maxWaiting) throw new OverloadError('Too many pages of the user list are asked for')
      const waiter = { begin: resolve }
      waiting.set(userId, [...(waiting.get(userId) ?? []), waiter])
      count++
      signal?.addEventListener('abort', () => {
        if (!waiting.get(userId)?.includes(waiter)) return
        remove(userId, waiter)
        reject(signal.reason as Error)
      })
    })

  /** Runs `work` when the turn of its user has come, or rejects with the reason of `signal` before that. */
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

export type TakeTurn = ReturnType<typeof createTurns>
