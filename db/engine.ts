import { existsSync } from 'node:fs'
import type { CompiledQuery, CreateTableBuilder, Kysely, QueryResult } from 'kysely'
import { OperatorError } from '../lib/operator-error.js'
import { urlFault } from '../lib/url-fault.js'
import type { MaybePromise } from '../schemas/maybe-promise.js'
import type { FileBackup } from './backup.js'
import type { EngineCopying } from './copy/engine-copying.js'
import type { Failure } from './failure.js'
import type { StepSettings } from './lists/steps.js'
import type { Locks } from './locks.js'
import { readAddress, showAddress } from './postgres/address.js'
import { isPostgresOutage } from './postgres/outage.js'
import { readRedisAddress } from './redis/address.js'
import type { RedisConnection } from './redis/index.js'
import { isSqliteOutage } from './sqlite/outage.js'
import { resolvePath } from './sqlite/path.js'
import type { Tables } from './tables.js'
import type { TemporaryFile } from './temporary-file.js'
import type { ChangeFeed } from './user-cache.js'
import type { Limits, UserList } from './user-list/index.js'

/** Lets the driver run a query without Kysely's executor; returns undefined when it cannot at this moment. */
export type RunDirectly = (query: CompiledQuery, isRead: boolean) => MaybePromise<QueryResult<unknown>> | undefined

/**
 * How an engine runs queries without Kysely's executor, which waits for each query of a transaction before it sends the next one,
 * and makes several promises for each.
 */
export interface Direct {
  /** Outside of transactions. Absent where a query must wait for a connection first. */
  outside?: RunDirectly
  /** In a transaction. Its queries run in the order in which they are sent. */
  inside: (transaction: Kysely<Tables>) => MaybePromise<RunDirectly>
}

/** Receives the progress of a long task. */
export type ReportProgress = (what: string, done: number, total: number) => void

/**
 * The parts of the schema that differ between engines. Migrations call them; what they do for a released migration
 * never changes.
 */
export interface EngineSchema {
  /**
   * Adds the primary key `id`, numbered by the database. The number of a deleted row is never used again: a new account
   * must not inherit the subject of an old token.
   */
  addId: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T | 'id'>
  /** Creates the log of changed users that the user list follows. */
  createUserChanges: (db: Kysely<unknown>) => Promise<void>
  /** Stores the rows of `store` in the index of their keys, where an engine has such tables. */
  clusterStore: (db: Kysely<unknown>) => Promise<void>
  /** Creates and fills the index in which the user list searches for parts of names. */
  createNameIndex: (db: Kysely<unknown>, progress: ReportProgress) => Promise<void>
  /** Makes that index anew with the places of the parts in their names, where an engine can use them. */
  addPlacesToNameIndex: (db: Kysely<unknown>, progress: ReportProgress) => Promise<void>
  /** Creates the log of what other processes have changed, where an engine needs it for that. */
  createChangeLog: (db: Kysely<unknown>) => Promise<void>
  /**
   * Updates what depends on the columns of the tables, such as triggers. Called after all migrations; until then, changes of users fail
   * where a migration has dropped a column.
   */
  deriveFromColumns: (db: Kysely<Tables>) => Promise<void>
}

export interface Engine {
  /** A write that has resolved survives a power cut. */
  db: Kysely<Tables>
  /**
   * For short-lived state: a write that has resolved survives the end of the process. It is durable, that is survives a
   * power cut, after the next durable commit by `db`. It is closed with `db`.
   */
  shortLived: Kysely<Tables>
  /** For migrations, which may take long. It is closed with `db`. */
  migrating: Kysely<Tables>
  /** Runs `work` in one transaction that holds the locks. An engine may run it again after a conflict. */
  transaction: <T>(work: (transaction: Kysely<Tables>) => Promise<T>, locks?: Locks) => Promise<T>
  changes: ChangeFeed
  /** Whether processes on several machines can use the database. */
  isShared: boolean
  schema: EngineSchema
  /** After it, nothing is written and no commit is reported any more. */
  failure: Failure
  /** Throws when the database does not answer. */
  ping: () => Promise<void>
  /** How the lists other than the user list are read. */
  listSteps: StepSettings
  /** Creates the user list, which must be closed before `db`. */
  createUserList: (limits?: Limits) => UserList
  /**
   * Adds changed names to the index of names. The user list does this regularly; searches are right before, but slower.
   */
  indexNames: () => Promise<void>
  /**
   * Deletes up to `limit` entries of the log of changes that are too old at `time` (epoch milliseconds) for any process to need
   * them; returns how many.
   */
  purgeChanges: (time: number, limit: number) => Promise<number>
  /** For commands that write many rows: uses more memory and writes less often. */
  prepareManyWrites: () => Promise<void>
  /** Throws when the disk is full. */
  testRoom: () => Promise<void>
  openTemporaryFile: <Item>() => TemporaryFile<Item>
  /** For copying all rows to another database. */
  copying: EngineCopying
  close: () => Promise<void>
}

/** The code of an engine is loaded when its first database is opened. */
interface EngineLoader {
  load: () => Promise<(address: string, directory: string) => Engine | Promise<Engine>>
  /** Whether an error means that the engine cannot serve now; otherwise the query was wrong. */
  isOutage: (error: Error & { code?: unknown }) => boolean
  /** Absent for databases that have programs of their own for backups. */
  loadBackup?: () => Promise<FileBackup>
  /** The path of the database, where it is a file; also of one that does not exist. */
  fileOf?: (address: string, directory: string) => string
  /** For messages: where the database is, without name and password. */
  show: (address: string, directory: string) => string
}

const postgresLoader: EngineLoader = {
  load: async () => (await import('./postgres/engine.js')).openPostgresUrl,
  isOutage: isPostgresOutage,
  show: showAddress,
}

/** Engines by URL scheme. */
const engines: Record<string, EngineLoader> = {
  sqlite: {
    load: async () => (await import('./sqlite/engine.js')).openSqliteUrl,
    isOutage: isSqliteOutage,
    loadBackup: async () => (await import('./sqlite/backup.js')).fileBackup,
    fileOf: resolvePath,
    show: resolvePath,
  },
  postgres: postgresLoader,
  postgresql: postgresLoader,
}

export const isEngineOutage = (error: Error): boolean => Object.values(engines).some(({ isOutage }) => isOutage(error))

/** Whether an engine opens databases at URLs such as `url`. */
export const hasEngine = (url: string): boolean => Object.keys(engines).some((scheme) => url.startsWith(`${scheme}:`))

const postgresUrlFault = (url: string): string | undefined => {
  const fault = urlFault(url)
  if (fault !== undefined) return fault
  try {
    readAddress(url)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Why the URL of a database cannot be read, without showing it; undefined if it can. */
export const databaseUrlFault = (url: string): string | undefined =>
  url.startsWith('sqlite:') ? undefined : postgresUrlFault(url)

/** The same for the URL of Redis. */
export const redisUrlFault = (url: string): string | undefined => {
  try {
    readRedisAddress(url)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Opens the database at `url` (`sqlite:PATH` or `postgres://…`); a relative path starts in `directory`. */
export const openEngine = async (url: string, directory: string): Promise<Engine> => {
  const separator = url.indexOf(':')
  const engine = engines[url.slice(0, separator)]
  if (!engine) throw new Error(`No database engine for ${url.slice(0, separator)}:`)
  const open = await engine.load()
  return open(url.slice(separator + 1), directory)
}

/** The backups of the database at `url`, and the part of the URL that they need. */
export const openBackup = async (url: string): Promise<{ backup: FileBackup; address: string }> => {
  const separator = url.indexOf(':')
  const load = engines[url.slice(0, separator)]?.loadBackup
  if (!load) {
    throw new OperatorError(
      'backup and restore are for SQLite. This database has programs of its own, such as pg_dump and pg_restore.',
    )
  }
  return { backup: await load(), address: url.slice(separator + 1) }
}

/** The path of the database at `url`; undefined where it is not a file. */
export const databaseFile = (url: string, directory: string): string | undefined => {
  const separator = url.indexOf(':')
  return engines[url.slice(0, separator)]?.fileOf?.(url.slice(separator + 1), directory)
}

/** Whether the database at `url` is a file that does not exist. */
export const isMissing = (url: string, directory: string): boolean => {
  const file = databaseFile(url, directory)
  return file !== undefined && !existsSync(file)
}

/** Where the database at `url` is, for messages: without name and password. */
export const shownAddress = (url: string, directory: string): string => {
  const separator = url.indexOf(':')
  return engines[url.slice(0, separator)]?.show(url.slice(separator + 1), directory) ?? '…'
}

export type { RedisConnection }

/** Redis at `url` (see `redisUrl` in the configuration), not connected yet. Its library is loaded only here. */
export const prepareRedis = async (url: string): Promise<RedisConnection> => {
  const { openRedis } = await import('./redis/index.js')
  return openRedis(url)
}
