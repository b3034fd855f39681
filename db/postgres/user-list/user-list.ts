import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.js'
import type { Limits, UserList } from '../../user-list/index.js'
import { createPlainUserList } from '../../user-list/plain-user-list.js'
import { hasChangeLog } from '../changes/change-purge.js'
import { createFairList } from './fair-list.js'
import { narrowByGrams } from './name-grams.js'
import { createRememberedList } from './remembered-list.js'

/** Remembers lists where the server has a log of changes; otherwise counts and skips rows. */
export const createPostgresUserList = (
  db: Kysely<Tables>,
  maxAtOnce: number,
  // A list of a million users takes 4 MB.
  { listMemory = 2 ** 25 }: Limits = {},
): UserList => {
  const plain = createPlainUserList(db, narrowByGrams)
  const remembered = createRememberedList(db, { plain, narrow: narrowByGrams, listMemory })
  let chosen: UserList | undefined
  // Not at the beginning: the tables may not have been made yet.
  const choose = async () => (chosen ??= (await hasChangeLog(db)) ? remembered : plain)
  return createFairList(
    {
      ...plain,
      page: async (...wanted) => (chosen ?? (await choose())).page(...wanted),
      ids: async (...wanted) => (chosen ?? (await choose())).ids(...wanted),
      users: (ids) => remembered.users(ids),
    },
    maxAtOnce,
  )
}
