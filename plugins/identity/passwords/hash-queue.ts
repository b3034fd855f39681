import { createLeastServedQueue, type QueueItem } from './least-served-queue.js'

/**
 * Groups of requests for a hash. Each has a queue of its own, so that a flood in one group does not delay the others:
 * known devices, live sessions and operators; clients that are not known and have solved a captcha; other clients that
 * are not known ("strangers").
 */
const groups = ['known', 'captcha', 'stranger'] as const

/** The client for whom a password is hashed. */
export interface Requester {
  group: (typeof groups)[number]
  /** Requests of one group get equal service per key: the network address of a sign-in, the user of a session. */
  fairnessKey: string
}

/** Requests that wait for a hash thread, at most `limit` in each group. Groups are served one after the other (round-robin). */
export const createHashQueue = <T extends QueueItem & Requester>(limit: number) => {
  const queues = {
    known: createLeastServedQueue<T>(limit),
    captcha: createLeastServedQueue<T>(limit),
    stranger: createLeastServedQueue<T>(limit),
  }
  /** The group that was served longest ago comes first. */
  const roundRobin = groups.map((group) => queues[group])

  const take = (): T | undefined => {
    const next = roundRobin.find(({ length }) => length > 0)
    if (!next) return undefined
    roundRobin.push(...roundRobin.splice(roundRobin.indexOf(next), 1))
    return next.take()
  }

  return {
    get length() {
      return roundRobin.reduce((sum, { length }) => sum + length, 0)
    },

    /** Whether half of the strangers' queue is full. Further strangers should then solve a captcha first. */
    isCrowded: (): boolean => queues.stranger.length >= limit / 2,

    /** Adds an item. When the queue of its group is full, returns the item that was dropped, which may be the new one. */
    add: (item: T): T | undefined => queues[item.group].add(item),

    /** Removes and returns up to `count` items. */
    take(count: number): T[] {
      const items: T[] = []
      for (let item = take(); item; item = items.length < count ? take() : undefined) items.push(item)
      return items
    },

    /** Removes and returns the items whose deadline is `now` or earlier. */
    expire: (now: number): T[] => roundRobin.flatMap((queue) => queue.expire(now)),

    /** The earliest deadline; `Infinity` when nothing waits. */
    firstDeadline: (): number => Math.min(...roundRobin.map((queue) => queue.firstDeadline())),
  }
}
