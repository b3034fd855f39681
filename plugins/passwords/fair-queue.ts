/** What waits in a queue: whose it is, and until when it waits (`performance.now()`). */
export interface Waiting {
  lane: string
  deadline: number
}

/** For so long it counts against a lane what it has been served. Milliseconds. */
const memory = 60_000

/**
 * A queue of at most `limit` items that serves the lane first that has been served least in the last minute, and each lane
 * in the order in which it came: whoever sends many waits behind those who send few. An operation looks once at each lane.
 */
export const createFairQueue = <T extends Waiting>(limit: number) => {
  /** None is empty. In the order in which they came or were served: of equals the first is next. */
  const lanes = new Map<string, T[]>()
  /** How many items of each lane have been served since `servedSince`. */
  const served = new Map<string, number>()
  let servedSince = 0
  let length = 0

  const servedOf = (name: string): number => served.get(name) ?? 0

  /** The first lane of the lowest rank. */
  const lowest = (rank: (name: string, lane: T[]) => number): [name: string, lane: T[]] | undefined => {
    let found: { entry: [string, T[]]; rank: number } | undefined
    for (const entry of lanes) {
      const current = rank(...entry)
      if (!found || current < found.rank) found = { entry, rank: current }
    }
    return found?.entry
  }

  const remove = (name: string, lane: T[], item: T | undefined): T | undefined => {
    length--
    if (lane.length === 0) lanes.delete(name)
    return item
  }

  return {
    get length() {
      return length
    },

    /**
     * Adds an item at the end of its lane. Returns what must go for it when the queue is full: whatever would be served
     * last, be it the item itself.
     */
    add(item: T): T | undefined {
      const own = lanes.get(item.lane) ?? []
      let displaced: T | undefined
      if (length >= limit) {
        const [name, last] = lowest((other, lane) => -(servedOf(other) + lane.length)) ?? [item.lane, own]
        if (servedOf(name) + last.length <= servedOf(item.lane) + own.length + 1) return item
        displaced = remove(name, last, last.pop())
      }
      own.push(item)
      lanes.set(item.lane, own)
      length++
      return displaced
    },

    /** Takes out the item that is next. */
    take(): T | undefined {
      const next = lowest(servedOf)
      if (!next) return undefined
      const [name, lane] = next
      const now = performance.now()
      if (now >= servedSince + memory) {
        served.clear()
        servedSince = now
      }
      served.set(name, servedOf(name) + 1)
      lanes.delete(name)
      lanes.set(name, lane)
      return remove(name, lane, lane.shift())
    },

    /** Takes out whatever has waited until `now`. */
    expire(now: number): T[] {
      const expired: T[] = []
      for (const [name, lane] of lanes) {
        for (let [first] = lane; first && first.deadline <= now; [first] = lane) {
          lane.shift()
          remove(name, lane, first)
          expired.push(first)
        }
      }
      return expired
    },

    /** When the first item expires; `Infinity` when nothing waits. */
    firstDeadline: (): number => Math.min(...[...lanes.values()].map(([first]) => first?.deadline ?? Infinity)),
  }
}
