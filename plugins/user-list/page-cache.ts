import { LRUCache } from 'lru-cache'
import type { UserPage } from '../../schemas/user.js'
import { Prepared } from '../../schemas/prepared.js'

/** UTF-16 units of JSON. A page of ten users has some 4,500. */
const maxSize = 2 ** 21
/** Queries that are remembered after their first page, which is not cached. */
const maxQueries = 1000

/**
 * Caches whole pages as JSON, each with the version of the list that it was made from. A page is cached when it is asked for
 * the second time: caching the others would fill the old generation of the heap with garbage.
 */
export const createPageCache = () => {
  const pages = new LRUCache<string, { version: number; page: Prepared<UserPage> }>({
    maxSize,
    sizeCalculation: ({ page }) => page.json.length,
  })
  const queries = new LRUCache<string, true>({ max: maxQueries })
  return {
    /** The page as of the current version; undefined when it is not cached. */
    find(key: string, version: () => number | undefined): Prepared<UserPage> | undefined {
      const found = pages.get(key)
      return found && found.version === version() ? found.page : undefined
    },

    /** Makes the JSON of a page and keeps it, if the version is known. */
    add(key: string, version: number | undefined, content: UserPage): Prepared<UserPage> {
      const page = new Prepared<UserPage>(JSON.stringify(content))
      if (version !== undefined && queries.has(key)) pages.set(key, { version, page })
      queries.set(key, true)
      return page
    },
  }
}
