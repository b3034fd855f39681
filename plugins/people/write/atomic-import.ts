import { setImmediate } from 'node:timers/promises'
import type { Repositories } from '../../../db/index.js'
import type { TemporaryFile } from '../../../db/temporary-file.js'
import type { Needs } from '../../../lib/needs.js'
import { OperatorError } from '../../../lib/operator-error.js'
import type { EndedImports } from './ended-imports.js'
import { pauseAfter } from './pause-after.js'

/**
 * Files of up to so many rows are one transaction, for which other writers wait once, sign-ins among them: 30 ms on SQLite, 100 ms while
 * other processes use the processors. For 100,000 rows they would wait for 3 to 10 s, and writers of other processes give up after 5 s.
 */
const maxTogether = 1000
/** Rows of each of the many transactions of a larger file. */
const partSize = 200
/** Rows written in one turn of the event loop, which takes some 2 ms. */
const stepSize = 50

/** Rolls a transaction back when the import is cancelled. */
class Cancelled extends Error {}

const stalledError = () =>
  new OperatorError('The import stalled for two minutes and was rolled back: no user was added. Start it again.')

/**
 * Adds all users or none. Those of a large file are added in many transactions, each of which records the ids of its users, so that
 * they can be removed if a later one fails, even after a crash.
 */
export const createAtomicImport =
  ({ clock, db }: Needs<'clock' | 'db'>, endedImports: EndedImports) =>
  /**
   * `write` adds some users and resolves to their ids, or to undefined to cancel the import. Resolves to the
   * number of added users. `onKept` is called in the transaction that makes the import final.
   */
  async <T>(
    staged: Pick<TemporaryFile<T>, 'count' | 'slice'>,
    write: (repositories: Repositories, rows: T[]) => Promise<number[] | undefined>,
    onKept: (repositories: Repositories, added: number) => Promise<void> = async () => undefined,
  ): Promise<number> => {
    const count = staged.count()
    const rowsAtOnce = count > maxTogether ? partSize : maxTogether
    let begun: number | undefined
    let added = 0
    let isKept = false

    /** The first transaction begins the import, and the last one keeps it. Resolves to its id. */
    const writeRows = async (inside: Repositories, from: number, to: number): Promise<number> => {
      const id = begun ?? (await inside.imports.begin(clock.now()))
      for (let start = from; start < to; start += stepSize) {
        const ids = await write(inside, staged.slice(start, Math.min(start + stepSize, to)))
        if (!ids) throw new Cancelled()
        if (!(await inside.imports.record(id, ids, clock.now()))) throw stalledError()
        await setImmediate()
      }
      if (to < count) return id
      if (!(await inside.imports.keep(id))) throw stalledError()
      await onKept(inside, count)
      return id
    }

    try {
      do {
        const [from, to] = [added, Math.min(added + rowsAtOnce, count)]
        begun = await pauseAfter(() => db.transaction((inside) => writeRows(inside, from, to), {}))
        added = to
      } while (added < count)
      isKept = true
      return added
    } catch (error) {
      if (error instanceof Cancelled) return 0
      throw error
    } finally {
      if (begun !== undefined) {
        if (!isKept) await db.imports.giveUp(begun)
        await endedImports.remove({ id: begun, isKept })
      }
    }
  }
