import { closeSync, openSync, statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Dialect } from 'kysely'
import { createCheckpoints, progress, tooMany } from './checkpoints-sqlite.js'
import { offerDirect } from './direct.js'
import { SqliteDriver, type Settle, type SqliteConnections } from './driver-sqlite.js'
import type { Engine } from './engine.js'
import { createFailure, type Failure } from './failure.js'
import { carryIdentity, renewIdentity } from './file-identity-sqlite.js'
import { createFlush, type Disk } from './flush-sqlite.js'
import { createMutex } from './mutex.js'
import { OpenError } from './outage.js'
import { checkLog, createSameFile } from './same-file-sqlite.js'
import type { Tables } from './tables.js'
import { createSharedCommits } from './shared-commits-sqlite.js'
import { createVersion } from './version-sqlite.js'

const ownerOnly = 0o600
/** While it opens, nothing is served yet, and it may stand still for a lock. Milliseconds. */
const openingTimeout = 5000
/** Later SQLite would stand still with the whole process: it waits only this long, and the driver the rest. Milliseconds. */
const busyTimeout = 5
const memory = ':memory:'

/** Copies of the database from before this start are not of the log that now begins. */
const beginLog = (connection: Sqlite.Database) => {
  renewIdentity(connection)
  connection.pragma('wal_checkpoint(passive)')
  const { log, checkpointed } = progress(connection)()
  if (log === checkpointed) carryIdentity(connection)
}

const openWriter = (path: string): Sqlite.Database => {
  // SQLite would create it for everybody to read; its companions take over the mode of the file.
  if (path !== memory) {
    closeSync(openSync(path, 'a', ownerOnly))
    checkLog(path)
  }
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  const connection = new Sqlite(path)
  connection.pragma(`busy_timeout = ${openingTimeout}`)
  connection.pragma('journal_mode = WAL')
  // Commits do not wait for the disk, which would hold up everything: `createFlush` does, without standing still.
  connection.pragma('synchronous = NORMAL')
  connection.pragma(`wal_autocheckpoint = ${tooMany}`)
  connection.pragma('foreign_keys = ON')
  connection.pragma(`busy_timeout = ${busyTimeout}`)
  if (path !== memory && !hasLog) beginLog(connection)
  return connection
}

/** A connection of its own for reading, which in WAL mode waits for no writer. There must be a writer already. */
export const openReader = (path: string, timeout = busyTimeout): Sqlite.Database => {
  const connection = new Sqlite(path, { readonly: true })
  connection.pragma(`busy_timeout = ${timeout}`)
  return connection
}

/** What follows the commits of a database in a file; one in memory needs nothing of it. */
const createAftermath = (
  path: string,
  connections: { writer: Sqlite.Database; reader: Sqlite.Database },
  turn: ReturnType<typeof createMutex>,
  failure: Failure,
  disk?: Disk,
) => {
  // The log is there from the first look at the database on.
  connections.reader.prepare('select 1 from sqlite_schema').get()
  const state = progress(connections.reader)
  const sameFile = createSameFile(path, failure, () => JSON.stringify(state()))
  const log = createFlush(path, failure, disk, sameFile.look)
  const checkpoints = createCheckpoints(path, connections, turn, failure, sameFile)
  return {
    start: () => checkpoints.start(),
    consider: () => checkpoints.consider(),
    flush: () => log.flush(),
    close: async () => {
      await checkpoints.close()
      await log.close()
      sameFile.stop()
      sameFile.look()
    },
    closed: () => sameFile.close(),
  }
}

const noAftermath = {
  start: async () => undefined,
  consider: () => undefined,
  flush: undefined,
  close: async () => undefined,
  closed: () => undefined,
}

const openConnections = (path: string, disk?: Disk) => {
  const writer = openWriter(path)
  const reader = path === memory ? writer : openReader(path)
  const turn = createMutex()
  const failure = createFailure()
  const commits = createSharedCommits(writer, turn, failure)
  const aftermath = path === memory ? noAftermath : createAftermath(path, { writer, reader }, turn, failure, disk)
  const close = async () => {
    await aftermath.close()
    if (!failure.current()) renewIdentity(writer)
    // Whoever is last moves the log to the database, unless it may only read: after a failure the log is left as it is,
    // to be checked at the next start.
    for (const connection of failure.current() ? [writer, reader] : [reader, writer]) connection.close()
    aftermath.closed()
  }
  return { writer, reader, commits, failure, aftermath, close }
}

/** The driver has its own turns at the writer: with those of Kysely, writers that wait for one another could not share a commit. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const createKysely = (connections: SqliteConnections, settle: Settle) => {
  const driver = new SqliteDriver(connections, settle)
  const dialect: Dialect = {
    createAdapter: () => new SharedSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  const db = new Kysely<Tables>({ dialect })
  offerDirect(db, driver.direct)
  return db
}

/** Opens (and creates) the SQLite file at `path`; an absent `disk` is that of the machine. Throws an `OpenError` when it cannot. */
export const openSqlite = (path: string, disk?: Disk): Engine => {
  try {
    const connections = openConnections(path, disk)
    const { reader, writer, failure, aftermath } = connections
    const { version, forget } = createVersion(reader)
    const now = () => {
      forget()
      aftermath.consider()
    }
    return {
      db: createKysely(connections, { now, ...(aftermath.flush ? { wait: aftermath.flush } : {}) }),
      shortLived: createKysely(connections, { now }),
      version: () => (reader === writer ? undefined : version()),
      start: () => aftermath.start(),
      failure,
    }
  } catch (cause) {
    throw new OpenError(path, cause as Error)
  }
}
