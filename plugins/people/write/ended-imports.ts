import type { Database } from '../../../db/index.js'
import { pauseAfter } from './pause-after.js'

/** An import that has not written for this time is treated as aborted: its process has probably ended. Milliseconds. */
const stalledAfter = 2 * 60 * 1000
/** Rows removed in one transaction, few enough that no request waits long: users, or only the records of an import. */
const batchSize = { users: 50, records: 500 }

/** Cleans up after atomic imports: removes the users of aborted imports, and the import records of completed ones. */
export const createEndedImports = (db: Database) => {
  const removeUpTo = async (ended: { id: number; isKept: boolean }, limit: number): Promise<number> => {
    const size = ended.isKept ? batchSize.records : batchSize.users
    let removed = 0
    for (let count = size; count > 0 && removed < limit; removed += count) {
      count = await pauseAfter(() => db.transaction(({ imports }) => imports.remove(ended, size)))
    }
    return removed
  }

  return {
    /** Removes all rows of an import that has ended. */
    remove: (ended: { id: number; isKept: boolean }): Promise<number> => removeUpTo(ended, Infinity),

    /**
     * Removes about `limit` rows of imports that have ended or stalled by `time`. Resolves to the number of removed rows.
     */
    removeEnded: async (time: number, limit: number): Promise<number> => {
      for (const id of await db.imports.stale(time - stalledAfter)) await db.imports.giveUp(id)
      let removed = 0
      for (const ended of await db.imports.ended()) removed += await removeUpTo(ended, limit - removed)
      return removed
    },
  }
}

export type EndedImports = ReturnType<typeof createEndedImports>
