import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import type { Limits, UserList } from '../../user-list/index.js'
import { hasChangeLog } from '../changes/change-purge.js'
import { createFairList } from './fair-list.js'
import { narrowByGrams } from './name-grams.js'
import { createPlainUserList } from './plain-user-list.js'
import { createRememberedList } from './remembered-list.js'
import type { RunFairly } from '../../lists/fair-limiter.js'

/**
 * Remembers lists where the server has a log of changes; otherwise counts and skips rows. Requests that let the
 * server read or sort many users wait for each other.
 */
export const createPostgresUserList = (
  db: Kysely<Tables>,
  { runFairly, version }: { runFairly: RunFairly; version: () => number | undefined },
  { listMemory }: Limits = {},
): UserList => {
  const plain = createFairList(createPlainUserList(db, narrowByGrams), runFairly)
  const remembered = createRememberedList(db, { plain, narrow: narrowByGrams, listMemory, runFairly, version })
  let chosen: UserList | undefined
  // Not at the beginning: the tables may not have been made yet.
  const choose = async () => (chosen ??= (await hasChangeLog(db)) ? remembered : plain)
  return {
    ...remembered,
    select(filter, order) {
      let selected = chosen?.select(filter, order)
      const get = async () => (selected ??= (await choose()).select(filter, order))
      return {
        page: async (...wanted) => (selected ?? (await get())).page(...wanted),
        ids: async (...wanted) => (selected ?? (await get())).ids(...wanted),
      }
    },
  }
}
