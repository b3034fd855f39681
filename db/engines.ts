import { existsSync } from 'node:fs'
import { OperatorError } from '../lib/operator-error.js'
import { urlFault } from '../lib/url-fault.js'
import type { FileBackup } from './backup.js'
import type { Engine } from './port.js'
import { readAddress, showAddress } from './postgres/address.js'
import { isPostgresOutage } from './postgres/outage.js'
import { readRedisAddress } from './redis/address.js'
import type { RedisConnection } from './redis/index.js'
import { isSqliteOutage } from './sqlite/outage.js'
import { resolvePath } from './sqlite/path.js'
import type { TemporaryFile } from './temporary-file.js'

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

const faultOf = (read: () => unknown): string | undefined => {
  try {
    read()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Why the URL of a database cannot be read, without showing it; undefined if it can. */
export const databaseUrlFault = (url: string): string | undefined =>
  url.startsWith('sqlite:') ? undefined : (urlFault(url) ?? faultOf(() => readAddress(url)))

/** The same for the URL of Redis. */
export const redisUrlFault = (url: string): string | undefined => faultOf(() => readRedisAddress(url))

/** The engine of a URL, undefined where there is none, and the part of the URL after the scheme. */
const findEngine = (url: string): { engine: EngineLoader | undefined; address: string } => {
  const separator = url.indexOf(':')
  return { engine: engines[url.slice(0, separator)], address: url.slice(separator + 1) }
}

/** Opens the database at `url` (`sqlite:PATH` or `postgres://…`); a relative path starts in `directory`. */
export const openEngine = async (url: string, directory: string): Promise<Engine> => {
  const { engine, address } = findEngine(url)
  if (!engine) throw new Error(`No database engine for ${url.slice(0, url.indexOf(':'))}:`)
  const [open, { loadGuestTables }] = await Promise.all([engine.load(), import('./guest-tables.js')])
  await loadGuestTables()
  return open(address, directory)
}

/** The backups of the database at `url`, and the part of the URL that they need. */
export const openBackup = async (url: string): Promise<{ backup: FileBackup; address: string }> => {
  const { engine, address } = findEngine(url)
  if (!engine?.loadBackup) {
    throw new OperatorError(
      'backup and restore are for SQLite. This database has programs of its own, such as pg_dump and pg_restore.',
    )
  }
  return { backup: await engine.loadBackup(), address }
}

/** The path of the database at `url`; undefined where it is not a file. */
export const databaseFile = (url: string, directory: string): string | undefined => {
  const { engine, address } = findEngine(url)
  return engine?.fileOf?.(address, directory)
}

/** Whether the database at `url` is a file that does not exist. */
export const isMissing = (url: string, directory: string): boolean => {
  const file = databaseFile(url, directory)
  return file !== undefined && !existsSync(file)
}

/** Where the database at `url` is, for messages: without name and password. */
export const shownAddress = (url: string, directory: string): string => {
  const { engine, address } = findEngine(url)
  return engine?.show(address, directory) ?? '…'
}

/** A temporary file for a long command, whatever the engine of the database: SQLite keeps it. */
export const openTemporaryFile = async <Item>(): Promise<TemporaryFile<Item>> => {
  const { openTemporaryFile: open } = await import('./sqlite/temporary-file.js')
  return open<Item>()
}

export type { RedisConnection }

/** Redis at `url` (see `redisUrl` in the configuration), not connected yet. Its library is loaded only then. */
export const prepareRedis = async (url: string): Promise<RedisConnection> => {
  const { openRedis } = await import('./redis/index.js')
  return openRedis(url)
}
