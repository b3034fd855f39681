import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../schemas/maybe-promise.js'

/**
 * A number that differs from the one before when anybody has written anything in between. Undefined where that cannot
 * be told for next to nothing.
 */
export type Version = () => number | undefined

/** What is remembered is shared by requests: nobody may change it. */
const freeze = (value: object): void => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part as object)
  Object.freeze(value)
}

/**
 * Remembers what was read for as long as nothing at all has been written to the database, by this process or another:
 * what it returns is exactly what reading once more would return.
 */
export const createRecall = <V extends object>(version: Version, max: number) => {
  const entries = new LRUCache<string, { version: number; value: V }>({ max })
  const readAnew = async (key: string, current: number, read: () => Promise<V | undefined>) => {
    const value = await read()
    if (value === undefined) return undefined
    freeze(value)
    entries.set(key, { version: current, value })
    return value
  }
  return (key: string, read: () => Promise<V | undefined>): MaybePromise<V | undefined> => {
    // Asked before reading: what is written meanwhile makes the entry old at once, never young.
    const current = version()
    if (current === undefined) return read()
    const known = entries.get(key)
    return known?.version === current ? known.value : readAnew(key, current, read)
  }
}
