import type { Database, Repositories } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import { OperatorError } from '../../../lib/operator-error.js'
import type { EndedImports } from './ended-imports.js'
import { pauseAfter } from './pause-after.js'

interface Collaborators {
  db: Database
  clock: Clock
  endedImports: EndedImports
}

/** Rolls the transaction of a batch back when the import is cancelled. */
class Cancelled extends Error {}

const stalledError = () =>
  new OperatorError('The import stalled for two minutes and was rolled back: no user was added. Start it again.')

/**
 * Adds all users or none, in many short transactions: one long transaction would block all other writers. Each transaction
 * records the ids of its users, so that they can be removed if the import fails, even after a crash.
 */
export const createAtomicImport =
  ({ db, clock, endedImports }: Collaborators) =>
  /**
   * `write` adds the users of a batch and resolves to their ids, or to undefined to cancel the import. Resolves to the
   * number of added users. `onKept` is called in the transaction that makes the import final.
   */
  async <T>(
    batches: Iterable<T[]>,
    write: (repositories: Repositories, batch: T[]) => Promise<number[] | undefined>,
    onKept: (repositories: Repositories, added: number) => Promise<void> = async () => undefined,
  ): Promise<number> => {
    const id = await db.imports.begin(clock.now())
    let isKept = false
    let added = 0

    const writeBatch = (batch: T[]) =>
      db.transaction(async (inside) => {
        const ids = await write(inside, batch)
        if (!ids) throw new Cancelled()
        if (!(await inside.imports.record(id, ids, clock.now()))) throw stalledError()
        return ids.length
      }, {})

    try {
      for (const batch of batches) added += await pauseAfter(() => writeBatch(batch))
      isKept = await db.transaction(async (inside) => {
        const isKept = await inside.imports.keep(id)
        if (isKept) await onKept(inside, added)
        return isKept
      })
      if (!isKept) throw stalledError()
      return added
    } catch (error) {
      if (error instanceof Cancelled) return 0
      throw error
    } finally {
      if (!isKept) await db.imports.giveUp(id)
      await endedImports.remove({ id, isKept })
    }
  }
