import { LRUCache } from 'lru-cache'
import type { UserPage } from '../../schemas/user.js'
import { Prepared } from '../../schemas/prepared.js'

/** UTF-16 units of JSON. A page of ten users has some 4,500. */
const maxSize = 2 ** 21

/** Whole pages as JSON, each with the version of the list that it was made of: the same page again costs no reading. */
export const createPageCache = () => {
  const pages = new LRUCache<string, { version: number; page: Prepared<UserPage> }>({
    maxSize,
    sizeCalculation: ({ page }) => page.json.length,
  })
  return {
    /** The page as of `version`; undefined when it is not there. */
    find(key: string, version: number | undefined): Prepared<UserPage> | undefined {
      const found = pages.get(key)
      return found?.version === version ? found?.page : undefined
    },

    /** Makes the JSON of a page and keeps it, if the version is known. */
    add(key: string, version: number | undefined, content: UserPage): Prepared<UserPage> {
      const page = new Prepared<UserPage>(JSON.stringify(content))
      if (version !== undefined) pages.set(key, { version, page })
      return page
    },
  }
}
