import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../schemas/maybe-promise.js'

/**
 * A number that changes with each write to the database by any process. Undefined where the engine cannot tell it at
 * almost no cost.
 */
export type Version = () => number | undefined

/** Cached values are shared by requests and must not be changed. */
const freeze = (value: object): void => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part as object)
  Object.freeze(value)
}

/**
 * Caches what was read until anything is written to the database, by any process: a cached value is exactly what
 * another read would return.
 */
export const createVersionedCache = <V extends object>(version: Version, max: number) => {
  const entries = new LRUCache<string, { version: number; value: V }>({ max })
  const readAnew = async (key: string, current: number, read: () => Promise<V | undefined>) => {
    const value = await read()
    if (value === undefined) return undefined
    freeze(value)
    entries.set(key, { version: current, value })
    return value
  }
  return (key: string, read: () => Promise<V | undefined>): MaybePromise<V | undefined> => {
    // Taken before the read: a write during the read makes the entry outdated.
    const current = version()
    if (current === undefined) return read()
    const known = entries.get(key)
    return known?.version === current ? known.value : readAnew(key, current, read)
  }
}
