import { LRUCache } from 'lru-cache'

/** Holds each picture once for its user, however many cached values show it. */
const createSharedPictures = () => {
  /** By user: a new picture may be read while values with the old one are still cached. */
  const held = new Map<number, { text: string; holders: number }[]>()
  let size = 0

  return {
    /** Bytes of all held pictures. */
    size: () => size,

    /** Returns the text to keep in place of an equal one. Call `release` when it is not kept any more. */
    hold(userId: number, text: string): string {
      const ofUser = held.get(userId) ?? []
      const known = ofUser.find((picture) => picture.text === text)
      if (known) {
        known.holders++
        return known.text
      }
      held.set(userId, [...ofUser, { text, holders: 1 }])
      size += text.length
      return text
    },

    release(userId: number, text: string): void {
      const ofUser = held.get(userId) ?? []
      const known = ofUser.find((picture) => picture.text === text)
      if (!known || --known.holders > 0) return
      size -= text.length
      const rest = ofUser.filter((picture) => picture !== known)
      if (rest.length > 0) held.set(userId, rest)
      else held.delete(userId)
    },
  }
}

/** Tells what has been written to the database, by any process. */
export interface ChangeFeed {
  /**
   * A mark of everything that was committed before this call; later marks are greater. Rejects when the database cannot serve now.
   */
  now: () => Promise<number>
  /** Whether what was read of a user after the mark `since` is the same at the mark `now`. */
  isUnchanged: (userId: number, since: number, now: number) => boolean
}

/** What is cached: it belongs to a user. */
export interface OfUser {
  user: { id: number; avatar: string | null }
}

export interface CacheLimits {
  /** Values. */
  max: number
  /** Bytes of all values without the pictures of their users. */
  maxSize: number
  /** Bytes of the pictures. */
  maxPictures: number
}

/** Bytes of an object, and of a text or number in it, without the characters. */
const overhead = { object: 100, value: 16 }

/** Cached values are shared by requests and must not be changed. Returns their bytes, roughly. */
const freeze = (value: object): number => {
  let size = overhead.object
  for (const part of Object.values(value) as unknown[]) {
    if (typeof part === 'object' && part !== null) size += freeze(part)
    else size += overhead.value + (typeof part === 'string' ? part.length : 0)
  }
  Object.freeze(value)
  return size
}

interface Entry<V> {
  mark: number
  value: V
  size: number
}

/**
 * Caches what was read of users until it changes: a cached value is exactly what another read would return. The picture of a user is
 * held once, however many values show it.
 */
export const createUserCache = <V extends OfUser>(
  { now, isUnchanged }: ChangeFeed,
  { max, maxSize, maxPictures }: CacheLimits,
) => {
  const pictures = createSharedPictures()
  const entries = new LRUCache<string, Entry<V>>({
    max,
    maxSize,
    sizeCalculation: ({ size }) => size,
    dispose: ({ value: { user } }) => {
      if (user.avatar !== null) pictures.release(user.id, user.avatar)
    },
  })

  const add = (key: string, mark: number, value: V): void => {
    const { user } = value
    const pictureSize = user.avatar?.length ?? 0
    if (user.avatar !== null) user.avatar = pictures.hold(user.id, user.avatar)
    entries.set(key, { mark, value, size: freeze(value) - pictureSize })
    // A value that is too large is not kept.
    if (user.avatar !== null && !entries.has(key)) pictures.release(user.id, user.avatar)
    while (pictures.size() > maxPictures && entries.size > 0) entries.pop()
  }

  return {
    async find(key: string, read: () => Promise<V | undefined>): Promise<V | undefined> {
      // Taken before the read: a change during the read makes the entry outdated.
      const mark = await now()
      const known = entries.get(key)
      if (known && isUnchanged(known.value.user.id, known.mark, mark)) {
        known.mark = Math.max(known.mark, mark)
        return known.value
      }
      const value = await read()
      if (value !== undefined) add(key, mark, value)
      return value
    },
    /** Bytes that are held. */
    size: () => entries.calculatedSize + pictures.size(),
  }
}
