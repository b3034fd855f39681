import type { Database } from '../../db/index.js'
import { pauseAfter } from './pause-after.js'

/** An import that does not go on for so long is taken for one whose process has ended. Milliseconds. */
export const patience = 2 * 60 * 1000
/** What one transaction takes away, users or only what was written down of them: little enough that no request waits. */
const batchSize = { users: 50, notes: 500 }

/** Removes what imports leave behind that are kept as a whole or not at all: the users of those that came to nothing. */
export const createEndedImports = (db: Database) => {
  const removeUpTo = async (ended: { id: number; isKept: boolean }, limit: number): Promise<number> => {
    const size = ended.isKept ? batchSize.notes : batchSize.users
    let removed = 0
    for (let count = size; count > 0 && removed < limit; removed += count) {
      count = await pauseAfter(() => db.transaction(({ imports }) => imports.remove(ended, size)))
    }
    return removed
  }

  return {
    /** Removes all that is left of an import that has ended. */
    remove: (ended: { id: number; isKept: boolean }): Promise<number> => removeUpTo(ended, Infinity),

    /** Removes about `limit` rows at the moment `time`, also of imports whose process has ended; resolves to how many. */
    removeEnded: async (time: number, limit: number): Promise<number> => {
      for (const id of await db.imports.stale(time - patience)) await db.imports.giveUp(id)
      let removed = 0
      for (const ended of await db.imports.ended()) removed += await removeUpTo(ended, limit - removed)
      return removed
    },
  }
}

export type EndedImports = ReturnType<typeof createEndedImports>
