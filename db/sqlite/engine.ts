import { isAbsolute, resolve } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Dialect } from 'kysely'
import { offerDirect } from '../query.js'
import type { Engine } from '../engine.js'
import { createFailure, type Failure } from '../failure.js'
import { OpenError } from '../outage.js'
import type { Tables } from '../tables.js'
import { createUserList } from '../user-list/index.js'
import { createCheckpoints, progress } from './checkpoints.js'
import { SqliteDriver, type Settle, type SqliteConnections } from './driver.js'
import { renewIdentity } from './file-identity.js'
import { createFlush, type Disk } from './flush.js'
import { prepareManyWrites } from './many-writes.js'
import { createMutex } from './mutex.js'
import { indexNames } from './name-grams.js'
import { openReader } from './reader.js'
import { testRoom } from './room.js'
import { createSameFile } from './same-file.js'
import { sqliteSchema } from './schema.js'
import { createSharedCommits } from './shared-commits.js'
import { openTemporaryFile } from './temporary-file.js'
import { createVersion } from './version.js'
import { memory, openWriter } from './writer.js'

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
    const db = createKysely(connections, { now, ...(aftermath.flush ? { wait: aftermath.flush } : {}) })
    const shortLived = createKysely(connections, { now })
    const seen = { db, shortLived, version: () => (reader === writer ? undefined : version()) }
    const file = path === memory ? undefined : path
    return {
      ...seen,
      schema: sqliteSchema,
      start: () => aftermath.start(),
      failure,
      createUserList: (time, limits) => createUserList(seen, file, time, limits),
      indexNames: () => indexNames(shortLived),
      prepareManyWrites: () => prepareManyWrites(db),
      testRoom: async () => (file === undefined ? undefined : testRoom(file)),
      openTemporaryFile,
    }
  } catch (cause) {
    throw new OpenError(path, cause as Error)
  }
}

/** The same for the part of `sqlite:PATH` after the colon; a relative path starts in `directory`. */
export const openSqliteUrl = (path: string, directory: string): Engine =>
  openSqlite(path === memory || isAbsolute(path) ? path : resolve(directory, path))
