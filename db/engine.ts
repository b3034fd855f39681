import { isAbsolute, resolve } from 'node:path'
import type { Kysely } from 'kysely'
import { openSqlite } from './engine-sqlite.js'
import type { Failure } from './failure.js'
import type { Version } from './recall.js'
import type { Tables } from './tables.js'

export interface Engine {
  /** What it has written when it answers survives a power cut. */
  db: Kysely<Tables>
  /**
   * For short-lived state: what it has written survives the process, but waits for no disk. A later write by `db`
   * makes it last, too. It is closed with `db`.
   */
  shortLived: Kysely<Tables>
  version: Version
  /** Starts its threads, if it has any, before they are needed; resolves when they have loaded their code. */
  start: () => Promise<void>
  /** After which nothing is written or answered for any more. */
  failure: Failure
}

// `:memory:` is SQLite's own name for a database that ends with the process.
const toPath = (path: string, directory: string) =>
  path === ':memory:' || isAbsolute(path) ? path : resolve(directory, path)

/** The engines by the scheme of their URL. */
const engines: Record<string, (address: string, directory: string) => Engine> = {
  sqlite: (path, directory) => openSqlite(toPath(path, directory)),
}

/** The file behind `url`, which further connections of this process may open; undefined when there is none. */
export const sqliteFile = (url: string, directory: string): string | undefined => {
  const path = url.startsWith('sqlite:') ? toPath(url.slice('sqlite:'.length), directory) : undefined
  return path === ':memory:' ? undefined : path
}

/** The schemes that `databaseUrl` may have. */
export const databaseSchemes = Object.keys(engines)

/** Opens the engine of `url` (`sqlite:PATH`); a relative path starts in `directory`. */
export const openEngine = (url: string, directory: string): Engine => {
  const separator = url.indexOf(':')
  const open = engines[url.slice(0, separator)]
  if (!open) throw new Error(`No database engine for ${url.slice(0, separator)}:`)
  return open(url.slice(separator + 1), directory)
}
