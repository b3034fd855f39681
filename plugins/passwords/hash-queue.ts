import { createFairQueue, type Waiting } from './fair-queue.js'

/**
 * Those who wait for a hash, each with a share of all hashes and with places that the others cannot take: known devices,
 * live sessions and operators; strangers who have solved a captcha; other strangers.
 */
const shares = ['known', 'captcha', 'stranger'] as const

/** For whom a password is hashed. */
export interface Requester {
  share: (typeof shares)[number]
  /** What a share is divided by: the network address of a sign-in, the user of a session. */
  lane: string
}

/** What waits for a thread that hashes, up to `limit` in each share. Shares in which somebody waits take turns. */
export const createHashQueue = <T extends Waiting & Requester>(limit: number) => {
  const queues = {
    known: createFairQueue<T>(limit),
    captcha: createFairQueue<T>(limit),
    stranger: createFairQueue<T>(limit),
  }
  /** In the order of their turns. */
  const turns = shares.map((share) => queues[share])

  const take = (): T | undefined => {
    const next = turns.find(({ length }) => length > 0)
    if (!next) return undefined
    turns.push(...turns.splice(turns.indexOf(next), 1))
    return next.take()
  }

  return {
    get length() {
      return turns.reduce((sum, { length }) => sum + length, 0)
    },

    /** So many strangers wait that further ones should show first that they are people. */
    isCrowded: (): boolean => queues.stranger.length >= limit / 2,

    /** Adds an item. Returns what must go for it when its share of the queue is full, be it the item itself. */
    add: (item: T): T | undefined => queues[item.share].add(item),

    /** Takes out up to `count` items. */
    take(count: number): T[] {
      const items: T[] = []
      for (let item = take(); item; item = items.length < count ? take() : undefined) items.push(item)
      return items
    },

    /** Takes out whatever has waited until `now`. */
    expire: (now: number): T[] => turns.flatMap((queue) => queue.expire(now)),

    /** When the first item expires; `Infinity` when nothing waits. */
    firstDeadline: (): number => Math.min(...turns.map((queue) => queue.firstDeadline())),
  }
}
