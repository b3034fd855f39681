import { LRUCache } from 'lru-cache'
import type { UserPage } from '../../../schemas/user.js'
import { Prepared } from '../../../schemas/prepared.js'

/** Bytes. A page of ten users has some 4,500. */
const maxSize = 2 ** 22
/** Bytes of an entry beside its JSON and its key. */
const overhead = 500
/** Pages that are remembered after they have been asked for once, twice as many at most. */
const maxKeys = 500

/** A copy with memory of its own. Node.js cuts small buffers from larger pieces (of 64 KiB, in version 24), and each keeps its whole piece. */
const toUnpooled = (bytes: Buffer): Buffer => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

/** Returns whether a text is one of the latest texts of earlier calls. Unlike a cache, two sets keep no order. */
const createSeenBefore = () => {
  let recent = new Set<string>()
  let older = new Set<string>()
  return (text: string): boolean => {
    if (recent.has(text) || older.has(text)) return true
    if (recent.size >= maxKeys) {
      older = recent
      recent = new Set()
    }
    recent.add(text)
    return false
  }
}

/**
 * Caches whole pages as JSON, each with the version of the list that it was made from. A page is cached when it is asked for
 * the second time: caching the others would fill the old generation of the heap with garbage.
 */
export const createPageCache = () => {
  const pages = new LRUCache<string, { version: number; end: number; page: Prepared<UserPage> }>({
    maxSize,
    // A key has the texts of the query: that of an empty page is larger than the page.
    sizeCalculation: ({ page }, key) => page.json.length + 2 * key.length + overhead,
  })
  const seenBefore = createSeenBefore()
  return {
    /** The page as of the current version and time; undefined when it is not cached. */
    find(key: string, version: () => number | undefined, now: number): Prepared<UserPage> | undefined {
      const found = pages.get(key)
      return found && found.version === version() && now < found.end ? found.page : undefined
    },

    /** Makes the JSON of a page, which is true until the time `end`, and keeps it, if the version is known. */
    add(key: string, version: number | undefined, end: number, content: UserPage): Prepared<UserPage> {
      const bytes = Buffer.from(JSON.stringify(content))
      if (version !== undefined && seenBefore(key))
        pages.set(key, { version, end, page: new Prepared(toUnpooled(bytes)) })
      return new Prepared(bytes)
    },
  }
}
