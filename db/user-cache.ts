import { LRUCache } from 'lru-cache'
import { andThen, type MaybePromise } from '../schemas/maybe-promise.js'

/** Tells what has been written to the database, by any process. */
export interface ChangeFeed {
  /**
   * A mark of everything that was committed before this call; later marks are greater. Undefined where the engine cannot tell
   * it at almost no cost. Rejects when the database cannot serve now.
   */
  now: () => MaybePromise<number | undefined>
  /** Whether what was read of a user after the mark `since` is the same at the mark `now`. */
  isUnchanged: (userId: number, since: number, now: number) => boolean
}

/** Cached values are shared by requests and must not be changed. */
const freeze = (value: object): void => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part as object)
  Object.freeze(value)
}

/**
 * Caches what was read of users until it changes: a cached value is exactly what another read would return. `ownerOf` tells
 * the user of a value.
 */
export const createUserCache = <V extends object>(
  { now, isUnchanged }: ChangeFeed,
  ownerOf: (value: V) => number,
  max: number,
) => {
  const entries = new LRUCache<string, { mark: number; value: V }>({ max })
  const readAnew = async (key: string, mark: number, read: () => Promise<V | undefined>) => {
    const value = await read()
    if (value === undefined) return undefined
    freeze(value)
    // The mark was taken before the read: a change during the read makes the entry outdated.
    entries.set(key, { mark, value })
    return value
  }
  const findAt = (mark: number | undefined, key: string, read: () => Promise<V | undefined>) => {
    if (mark === undefined) return read()
    const known = entries.get(key)
    if (!known || !isUnchanged(ownerOf(known.value), known.mark, mark)) return readAnew(key, mark, read)
    known.mark = Math.max(known.mark, mark)
    return known.value
  }
  return (key: string, read: () => Promise<V | undefined>): MaybePromise<V | undefined> =>
    andThen(now(), (mark) => findAt(mark, key, read))
}
