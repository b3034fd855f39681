import { problem } from '../errors/problem.js'

interface Entry {
  /** Tries that were counted and have not ended. */
  inFlight: number
  /** The count after the latest of them. */
  count: number
  waiting: number
  /** Entering happens one by one, in order. */
  lastEntry: Promise<unknown>
  released: PromiseWithResolvers
}
interface PromiseWithResolvers {
  promise: Promise<void>
  resolve: () => void
}

/** More tries of one name than this do not wait at once. */
const longestQueue = 200

const createSignal = (): PromiseWithResolvers => {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

/**
 * Tries are counted before their outcome is known, so a handful of right ones at the same moment would look like too
 * many wrong ones. The gate lets only as many in at once as may still fail; the others wait for an outcome.
 */
export const createGate = () => {
  const entries = new Map<string, Entry>()

  const forget = (key: string, entry: Entry) => {
    if (entry.inFlight === 0 && entry.waiting === 0) entries.delete(key)
  }

  return {
    /** Waits for a place and runs `count`, which counts the try; resolves to the count, or throws what it throws. */
    async enter(key: string, limit: number, count: () => Promise<number>): Promise<number> {
      const entry = entries.get(key) ?? {
        inFlight: 0,
        count: 0,
        waiting: 0,
        lastEntry: Promise.resolve(),
        released: createSignal(),
      }
      if (entry.waiting >= longestQueue) throw problem('too_many_attempts', { retryAfter: 1 })
      entries.set(key, entry)
      entry.waiting++
      const turn = entry.lastEntry.then(async () => {
        while (entry.inFlight > 0 && entry.count >= limit) await entry.released.promise
        entry.count = await count()
        entry.inFlight++
        return entry.count
      })
      entry.lastEntry = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        entry.waiting--
        forget(key, entry)
      }
    },

    /** A try that entered has ended; `forgotten` when its count does not stand any more. */
    leave(key: string, forgotten: boolean): void {
      const entry = entries.get(key)
      if (!entry) return
      entry.inFlight--
      if (forgotten) entry.count = 0
      entry.released.resolve()
      entry.released = createSignal()
      forget(key, entry)
    },
  }
}

export type Gate = ReturnType<typeof createGate>
