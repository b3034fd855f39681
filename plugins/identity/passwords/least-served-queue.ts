/** An item in the queue. */
export interface QueueItem {
  /** Items with the same key compete with each other; every key gets the same share of the service. */
  fairnessKey: string
  /** When the item expires, by `performance.now()`. */
  deadline: number
}

/** The queue counts served items per key for this time, then starts again from zero. Milliseconds. */
const countingPeriod = 60_000

/**
 * A queue of at most `limit` items. It serves the key that has been served least in the last minute, and the items of
 * one key first in, first out: a client that sends many requests waits longer than those that send few. Each operation
 * takes time proportional to the number of waiting keys.
 */
export const createLeastServedQueue = <T extends QueueItem>(limit: number) => {
  /** Waiting items by fairness key, never empty. Ordered by arrival or last service: among equals the first is next. */
  const waiting = new Map<string, T[]>()
  /** Served items by fairness key since `servedSince`. */
  const served = new Map<string, number>()
  let servedSince = 0
  let length = 0

  const servedOf = (key: string): number => served.get(key) ?? 0

  /** The first key with the lowest rank, and its items. */
  const lowest = (rank: (key: string, items: T[]) => number): [key: string, items: T[]] | undefined => {
    let found: { entry: [string, T[]]; rank: number } | undefined
    for (const entry of waiting) {
      const current = rank(...entry)
      if (!found || current < found.rank) found = { entry, rank: current }
    }
    return found?.entry
  }

  /** Accounts for an item that was taken out of `items`. */
  const removed = (key: string, items: T[], item: T | undefined): T | undefined => {
    length--
    if (items.length === 0) waiting.delete(key)
    return item
  }

  return {
    get length() {
      return length
    },

    /**
     * Adds an item after those with its key. When the queue is full, returns the item that would be served last and was
     * dropped; that may be the new one.
     */
    add(item: T): T | undefined {
      const own = waiting.get(item.fairnessKey) ?? []
      let dropped: T | undefined
      if (length >= limit) {
        const [key, items] = lowest((other, others) => -(servedOf(other) + others.length)) ?? [item.fairnessKey, own]
        if (servedOf(key) + items.length <= servedOf(item.fairnessKey) + own.length + 1) return item
        dropped = removed(key, items, items.pop())
      }
      own.push(item)
      waiting.set(item.fairnessKey, own)
      length++
      return dropped
    },

    /** Removes and returns the next item. */
    take(): T | undefined {
      const next = lowest(servedOf)
      if (!next) return undefined
      const [key, items] = next
      const now = performance.now()
      if (now >= servedSince + countingPeriod) {
        served.clear()
        servedSince = now
      }
      served.set(key, servedOf(key) + 1)
      waiting.delete(key)
      waiting.set(key, items)
      return removed(key, items, items.shift())
    },

    /** Removes and returns the items whose deadline is `now` or earlier. */
    expire(now: number): T[] {
      const expired: T[] = []
      for (const [key, items] of waiting) {
        for (let [first] = items; first && first.deadline <= now; [first] = items) {
          items.shift()
          removed(key, items, first)
          expired.push(first)
        }
      }
      return expired
    },

    /** The earliest deadline; `Infinity` when the queue is empty. */
    firstDeadline: (): number => Math.min(...[...waiting.values()].map(([first]) => first?.deadline ?? Infinity)),
  }
}
