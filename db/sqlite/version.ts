import { performance } from 'node:perf_hooks'
import type Sqlite from 'better-sqlite3'

/** Changes before each time at which the event loop takes in what has arrived: requests, and messages of threads. */
const turn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount

/**
 * The version of the database that `reader` sees. In SQLite it changes with the commits of all other connections, also
 * in other processes, but not with those of its own.
 *
 * A version is cached for one turn of the event loop, because asking costs as much as a small query. `setImmediate` would forget it too
 * late: what one immediate sets runs after the requests of the next turn. Call `forget` after a commit of this process, which may come in
 * the middle of a turn.
 */
export const createVersion = (reader: Sqlite.Database): { version: () => number; forget: () => void } => {
  const dataVersion = reader.prepare<[], number>('pragma data_version').pluck()
  let known: { version: number; turn: number } | undefined
  const version = () => {
    const now = turn()
    if (known?.turn !== now) known = { version: dataVersion.get() ?? 0, turn: now }
    return known.version
  }
  return {
    version,
    forget: () => {
      known = undefined
    },
  }
}
