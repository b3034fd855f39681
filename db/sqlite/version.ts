import type Sqlite from 'better-sqlite3'

/**
 * The version of the database that `reader` sees. In SQLite it changes with the commits of all other connections, also
 * in other processes, but not with those of its own.
 *
 * A version is cached for one turn of the event loop, because asking costs as much as a small query. Call `forget`
 * after a commit of this process, which may come in the middle of a turn.
 */
export const createVersion = (reader: Sqlite.Database): { version: () => number; forget: () => void } => {
  const dataVersion = reader.prepare<[], number>('pragma data_version').pluck()
  let known: number | undefined
  const forget = () => {
    known = undefined
  }
  const ask = () => {
    setImmediate(forget)
    return (known = dataVersion.get() ?? 0)
  }
  return { version: () => known ?? ask(), forget }
}
