import { setTimeout } from 'node:timers/promises'
import type { Engine } from '../engine.js'
import { indexNames } from '../sqlite/name-grams.js'
import type { Snapshots } from './snapshot-sqlite.js'

/** A search looks at the names that are not indexed yet one by one: so many cost nothing worth mentioning. */
const maxWaiting = 100
/** Between two batches, for other writers. Milliseconds. */
const pause = 15

/** Keeps the index of names up to date while the service runs. */
export const createNameIndexing = ({ shortLived }: Pick<Engine, 'shortLived'>, snapshots: Snapshots) => {
  const waiting = snapshots.prepareNumber(`select count(*) from (select 1 from user_name_changes limit ${maxWaiting})`)
  const closing = new AbortController()
  const wait = () => setTimeout(pause, undefined, { signal: closing.signal })
  let indexing: Promise<void> | undefined

  return {
    /** To be called now and then. */
    look(): void {
      if (indexing || waiting() !== maxWaiting) return
      indexing = indexNames(shortLived, wait)
        // What could not be written now is written at a later look.
        .catch(() => undefined)
        .finally(() => (indexing = undefined))
    },

    async close(): Promise<void> {
      closing.abort()
      await indexing
    },
  }
}
