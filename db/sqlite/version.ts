import type Sqlite from 'better-sqlite3'
import type { Version } from '../recall.js'

/**
 * The version of the database that `reader` sees. SQLite tells a connection of the commits of all others, also of other
 * processes, and never of its own.
 *
 * It costs as much as a small query, and one answer serves all requests of one turn of the event loop: whatever a turn
 * hands over had arrived before it began. `forget` is for commits of our own, which may come in the middle of a turn.
 */
export const createVersion = (reader: Sqlite.Database): { version: Version; forget: () => void } => {
  const dataVersion = reader.prepare<[], number>('pragma data_version').pluck()
  let known: number | undefined
  const forget = () => {
    known = undefined
  }
  const ask = () => {
    setImmediate(forget)
    return (known = dataVersion.get())
  }
  return { version: () => known ?? ask(), forget }
}
