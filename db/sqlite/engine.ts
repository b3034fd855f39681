import { rm, writeFile } from 'node:fs/promises'
import { Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Dialect } from 'kysely'
import type { Engine } from '../port.js'
import { createFailure } from '../failure.js'
import { OpenError } from '../errors.js'
import { createLoopTime } from '../../lib/loop-time.js'
import { createFairLimiter } from '../lists/fair-limiter.js'
import type { Tables } from '../tables.js'
import { createUserList } from '../user-list/user-list.js'
import { createCopying } from './copying.js'
import { SqliteDriver, writerWait, type AfterCommit, type SqliteConnections } from './driver.js'
import { renewIdentity } from './file-identity.js'
import type { Disk } from './flush.js'
import { openReader } from './reader.js'
import { sqliteSchema } from './schema.js'
import { openListEngine } from './user-list/engine.js'
import { indexAllNames } from './user-list/name-index.js'
import { createVersion } from './version.js'
import { createWriteAheadLog } from './write-ahead-log.js'
import { createWriteLock } from './write-lock.js'
import { resolvePath } from './path.js'
import { openWriter } from './writer.js'

const openConnections = (path: string, disk?: Disk) => {
  const writer = openWriter(path)
  const reader = openReader(path)
  const failure = createFailure()
  const lock = createWriteLock(writer, failure)
  const log = createWriteAheadLog(path, { writer, reader }, lock, failure, disk)
  const close = async () => {
    await log.close()
    if (!failure.current()) renewIdentity(writer)
    // The last connection to close moves the log to the database, unless it is the reader. After a failure the log must
    // stay as it is, to be checked at the next start.
    for (const connection of failure.current() ? [writer, reader] : [reader, writer]) connection.close()
    log.closed()
  }
  return { writer, reader, lock, failure, log, close }
}

class SharedSqliteAdapter extends SqliteAdapter {
  /** The driver has a write lock of its own; that of Kysely would also make reads wait for writers. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
  /**
   * All migrations of a start are one transaction: a second process that starts meanwhile waits for its end and finds them done,
   * and a migration that fails leaves nothing behind.
   */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Keeps prepared statements prepared. SQLite plans for the values that are bound, and prepares a statement again when another value may need
 * another plan (its "Query Planner Stability Guarantee" is off). better-sqlite3 clears the values after each run, so that this happened
 * before each run. `likely` returns its argument at no cost, and hides the value from the planner.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return 'likely(?)'
  }
}

const createKysely = (connections: SqliteConnections, afterCommit: AfterCommit, maxWait = writerWait) => {
  const driver = new SqliteDriver(connections, afterCommit, maxWait)
  const dialect: Dialect = {
    createAdapter: () => new SharedSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StablePlanCompiler(),
  }
  return new Kysely<Tables>({ dialect })
}

/** What the log may grow by in a busy moment. Bytes. */
const neededRoom = 256 * 1024
const ownerOnly = 0o600

/**
 * Throws when the disk of the database file is full. A write to the database does not show this: its log has unused
 * space for some time after the disk is full.
 */
const testRoom = async (path: string): Promise<void> => {
  const file = `${path}-room`
  try {
    await writeFile(file, Buffer.alloc(neededRoom), { mode: ownerOnly, flush: true })
  } finally {
    await rm(file, { force: true })
  }
}

/** Pages that a transaction of 20,000 rows changes in all indexes of a million users. KiB. */
const largeCache = 256 * 1024

/**
 * Gives a command that writes many rows more memory. Without it SQLite writes the same pages again and again within a
 * transaction, and the undo log of a large statement to a temporary file.
 */
const prepareManyWrites = async (db: Kysely<Tables>): Promise<void> => {
  await sql`pragma cache_size = ${sql.lit(-largeCache)}`.execute(db)
  await sql`pragma temp_store = memory`.execute(db)
}

/** Milliseconds that the steps of all lists may hold a turn of the event loop together, but for the last one. */
const stepTime = 2

/**
 * Opens (and creates) the SQLite file at `path`; an absent `disk` is that of the machine. Throws an `OpenError` when it
 * cannot.
 */
export const openSqlite = (path: string, disk?: Disk): Engine => {
  try {
    const connections = openConnections(path, disk)
    const { reader, failure, log } = connections
    const { version, forget } = createVersion(reader)
    const committed = () => {
      forget()
      log.committed()
    }
    const afterCommit = { committed, durable: log.durable }
    const db = createKysely(connections, afterCommit)
    const shortLived = createKysely(connections, { committed })
    const migrating = createKysely(connections, afterCommit, Infinity)
    const close = async () => {
      await Promise.all([db, shortLived, migrating].map((one) => one.destroy()))
      await connections.close()
    }
    let closed: Promise<void> | undefined
    const changes = {
      now: async () => version(),
      // The number tells that something was written, and not what.
      isUnchanged: (_userId: number, since: number, now: number) => since === now,
    }
    return {
      db,
      shortLived,
      changes,
      migrating,
      // There is one writer at a time, so that nothing needs a lock.
      transaction: (work) => db.transaction().execute(work),
      ping: async () => {
        await db.selectFrom('tenants').select('id').limit(1).execute()
      },
      // After a failure it is called twice.
      close: () => (closed ??= close()),
      isShared: false,
      schema: sqliteSchema,
      tableNames: async () => {
        const names = sql<{ name: string }>`select name from sqlite_schema where type = 'table' order by name`
        return (await names.execute(db)).rows.map(({ name }) => name)
      },
      failure,
      // A step holds the event loop, so that two at once are no faster than one.
      listSteps: { runFairly: createFairLimiter(1), stepTime, loopTime: createLoopTime(stepTime) },
      openUserList: (limits) => createUserList(openListEngine({ db, shortLived }, path, version, limits), limits),
      indexNames: () => indexAllNames(shortLived),
      // Each writer deletes what is too old.
      purgeChanges: async () => 0,
      prepareManyWrites: () => prepareManyWrites(db),
      testRoom: async () => testRoom(path),
      copying: createCopying(db, path),
    }
  } catch (cause) {
    throw new OpenError(path, cause as Error)
  }
}

/** The same for the part of `sqlite:PATH` after the colon; a relative path starts in `directory`. */
export const openSqliteUrl = (path: string, directory: string): Engine => openSqlite(resolvePath(path, directory))
