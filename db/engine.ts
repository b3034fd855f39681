import type { CompiledQuery, CreateTableBuilder, Kysely, QueryResult } from 'kysely'
import type { Failure } from './failure.js'
import type { Version } from './recall.js'
import { isSqliteOutage } from './sqlite/outage.js'
import type { Tables } from './tables.js'
import type { TemporaryFile } from './temporary-file.js'
import type { Limits, UserList } from './user-list/index.js'

/**
 * Runs a query at once, where that waits for nothing; undefined where it would have to wait. An engine inside the process
 * can do that, and a query then costs a fraction of what it costs by way of a dozen promises.
 */
export type RunDirectly = (query: CompiledQuery, isRead: boolean) => QueryResult<unknown> | undefined

/** What an engine can do at once, outside of transactions and inside. */
export interface Direct {
  outside: RunDirectly
  inside: RunDirectly
}

/** Told now and then how far something long has come. */
export type ReportProgress = (what: string, done: number, total: number) => void

/**
 * What the schema has on one engine only, or what each engine says in its own way. Migrations call it; what it does for
 * a released migration never changes.
 */
export interface EngineSchema {
  /**
   * Adds the primary key `id`, numbered by the database. It never hands out the number of a deleted row again: a new
   * account must not inherit the subject of an old token.
   */
  addId: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T | 'id'>
  /** Creates the log of changed users that the user list follows. */
  createUserChanges: (db: Kysely<unknown>) => Promise<void>
  /** Stores short-lived state in the index of its keys, where an engine has such tables. */
  clusterStore: (db: Kysely<unknown>) => Promise<void>
  /** Creates the index by which the user list finds parts of names, and fills it. */
  createNameGrams: (db: Kysely<unknown>, progress: ReportProgress) => Promise<void>
  /** Brings up to date what follows from the columns of the tables, such as triggers. Called when all migrations have run. */
  deriveFromColumns: (db: Kysely<Tables>) => Promise<void>
}

export interface Engine {
  /** What it has written when it answers survives a power cut. */
  db: Kysely<Tables>
  /**
   * For short-lived state: what it has written survives the process, but waits for no disk. It survives a power cut
   * after the next write by `db`. It is closed with `db`.
   */
  shortLived: Kysely<Tables>
  version: Version
  schema: EngineSchema
  /** After which nothing is written or answered for any more. */
  failure: Failure
  /** The list of users; to be closed before `db`. `now` is epoch milliseconds. */
  createUserList: (now: () => number, limits?: Partial<Limits>) => UserList
  /** Indexes names that have been written for searches. The user list does the same now and then; searches are right before. */
  indexNames: () => Promise<void>
  /** For commands that write a great deal: takes more memory and writes less often. */
  prepareManyWrites: () => Promise<void>
  /** Throws when the disk has no room left for what will be written next. */
  testRoom: () => Promise<void>
  openTemporaryFile: <Item>() => TemporaryFile<Item>
}

/** An engine whose code is loaded when a database of it is opened. */
interface EngineLoader {
  load: () => Promise<(address: string, directory: string) => Engine>
  /** Whether an error of the engine means that it cannot serve now, and not that a query was wrong. */
  isOutage: (error: Error & { code?: unknown }) => boolean
}

/** The engines by the scheme of their URL. */
const engines: Record<string, EngineLoader> = {
  sqlite: { load: async () => (await import('./sqlite/engine.js')).openSqliteUrl, isOutage: isSqliteOutage },
}

export const isEngineOutage = (error: Error): boolean => Object.values(engines).some(({ isOutage }) => isOutage(error))

/** Opens the engine of `url` (`sqlite:PATH`); a relative path starts in `directory`. */
export const openEngine = async (url: string, directory: string): Promise<Engine> => {
  const separator = url.indexOf(':')
  const engine = engines[url.slice(0, separator)]
  if (!engine) throw new Error(`No database engine for ${url.slice(0, separator)}:`)
  const open = await engine.load()
  return open(url.slice(separator + 1), directory)
}
