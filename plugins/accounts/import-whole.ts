import type { Database, Repositories } from '../../db/index.js'
import type { Clock } from '../../lib/clock.js'
import { OperatorError } from '../../lib/operator-error.js'
import type { EndedImports } from './ended-imports.js'
import { pauseAfter } from './pause-after.js'

interface Collaborators {
  db: Database
  clock: Clock
  endedImports: EndedImports
}

/** Nobody is to be added after all. */
class Undone extends Error {}

const givenUp = () =>
  new OperatorError('The import did not go on for two minutes and was undone: nobody was added. Start it again.')

/**
 * Adds all or nobody, in many short transactions: one long one would keep everybody else from writing. Whom it has added
 * is written down with them, so that they are taken away again when it comes to nothing, however the process ends.
 */
export const createWholeImport =
  ({ db, clock, endedImports }: Collaborators) =>
  /** `write` adds the users of a batch and resolves to their ids, or to undefined when nobody is to be added after all. */
  async <T>(
    batches: Iterable<T[]>,
    write: (repositories: Repositories, batch: T[]) => Promise<number[] | undefined>,
  ): Promise<number> => {
    const id = await db.imports.begin(clock.now())
    let isKept = false
    let added = 0

    const writeBatch = (batch: T[]) =>
      db.transaction(async (inside) => {
        const ids = await write(inside, batch)
        if (!ids) throw new Undone()
        if (!(await inside.imports.record(id, ids, clock.now()))) throw givenUp()
        added += ids.length
      })

    try {
      for (const batch of batches) await pauseAfter(() => writeBatch(batch))
      isKept = await db.imports.keep(id)
      if (!isKept) throw givenUp()
      return added
    } catch (error) {
      if (error instanceof Undone) return 0
      throw error
    } finally {
      if (!isKept) await db.imports.giveUp(id)
      await endedImports.remove({ id, isKept })
    }
  }
