import { isMissing, openEngine, openTemporaryFile, shownAddress } from './engines.js'
import { findGoneGuests } from './gone-guests.js'
import { createListReader } from './lists/steps.js'
import { OperatorError } from '../lib/operator-error.js'
import type { Locks } from './locks.js'
import { forgetServers, isServed, lastBackup, markBackup, movedTo, refuseMoved, unmarkMoved } from './marks.js'
import { migrate, pendingMigrations, requireSchema, schemaState } from './migrate.js'
import { createExpiring } from './purge.js'
import { createFindOwners } from './repositories/session-owner.js'
import { makeRepositories, repositoriesOf, type Repositories } from './repositories/index.js'
import { createDatabaseStore } from './repositories/store.js'
import { createUserCache, type CacheLimits, type OfUser } from './user-cache.js'

export { OpenError } from './errors.js'
export { prepareRedis, type RedisConnection } from './engines.js'
export { serverEntry } from './marks.js'

export type { Repositories }
export type Database = Awaited<ReturnType<typeof openDatabase>>

/**
 * Opens the database at `url` (see `databaseUrl` in the configuration); a relative path starts in `directory`.
 * Does not migrate: call `migrate` before the first use.
 */
export const openDatabase = async (url: string, directory: string) => {
  const engine = await openEngine(url, directory)
  const { db, shortLived, changes, failure } = engine
  const shown = shownAddress(url, directory)
  const name = `The database ${shown}`
  return {
    /** For messages: where the database is, without name and password. */
    shown,
    // Each question to a shared database crosses the network: those of one moment are asked together.
    ...makeRepositories(db, createFindOwners(db, changes, engine.isShared)),
    /**
     * A cache of what was read of users, which is read anew once anything of it has changed: what sessions are checked by, verified contacts, and
     * tables of guests that are logged (`logGuestTable`).
     */
    createUserCache: <V extends OfUser>(limits: CacheLimits) => createUserCache<V>(changes, limits),
    createStore: (now: () => number) => createDatabaseStore(shortLived, now),
    /** Whether processes on several machines can use the database. */
    isShared: engine.isShared,
    openUserList: engine.openUserList,
    /** Reads a page of another list. */
    readList: createListReader(engine.listSteps),

    /**
     * Runs `work` in one transaction, which is rolled back when it throws. Without `locks` no other such transaction runs
     * meanwhile. After a conflict with another process `work` runs again, so that it must change nothing but the database.
     */
    transaction: <T>(work: (repositories: Repositories) => Promise<T>, locks?: Locks): Promise<T> =>
      engine.transaction((transaction) => work(repositoriesOf(transaction)), locks),

    indexNames: engine.indexNames,
    expiring: createExpiring(engine),
    purgeChanges: engine.purgeChanges,
    prepareManyWrites: engine.prepareManyWrites,
    openTemporaryFile,
    migrate: (options?: Parameters<typeof migrate>[1]) => migrate(engine, options),
    pendingMigrations: () => pendingMigrations(engine),
    schemaState: () => schemaState(engine),
    /** Guests whose tables are there, and which this version does not have. */
    goneGuests: () => findGoneGuests(engine),
    /** Throws an error for operators unless the database has the schema of this version. */
    requireSchema: () => requireSchema(engine, name),
    /** The same, and when its data have been moved. */
    async requireUsable(): Promise<void> {
      await requireSchema(engine, name)
      await refuseMoved(db, name)
    },
    /** Throws an error for operators when the data have been moved; a database without any has not. */
    async requireUnmoved(): Promise<void> {
      if ((await schemaState(engine)).kind !== 'none') await refuseMoved(db, name)
    },
    /** Where the data have been moved by `rollcall copy`; undefined when they have not. */
    movedTo: () => movedTo(db),
    /** Lets the database be used again; resolves to where its data had been moved. */
    reopen: () => unmarkMoved(db),
    /** When `rollcall backup` last made a backup, epoch milliseconds; undefined when none is known. */
    lastBackup: () => lastBackup(db),
    markBackup: (time: number) => markBackup(db, time),
    /** Whether a server uses the database, or was killed a short time ago. */
    isServed: () => isServed(db),
    /** For a copy of a database, which no server uses. */
    forgetServers: () => forgetServers(db),
    /** Throws when the database does not answer. */
    ping: engine.ping,
    /** Makes a durable test write at the moment `now`. Throws when it fails or the disk is full. */
    async testWrite(now: number): Promise<void> {
      await createDatabaseStore(db, () => now).set('write-test', '', 24 * 3600 * 1000)
      await engine.testRoom()
    },
    /** Resolves with the reason when the database has become unusable; `fault` returns it from then on. */
    failed: failure.happened,
    fault: () => failure.current(),
    close: engine.close,
  }
}

/** Throws an error for operators when the database at `url` is a file that does not exist. */
export const refuseMissing = (url: string, directory: string): void => {
  if (!isMissing(url, directory)) return
  throw new OperatorError(
    `There is no database at ${shownAddress(url, directory)}. Set DATABASE_URL (databaseUrl) to the database of the service, or restore a backup. Only for a new installation, run \`rollcall init\`.`,
  )
}

/**
 * Opens a database that must exist with the schema of this version and be in use: nothing is created or migrated. Throws
 * an error for operators otherwise.
 */
export const openExistingDatabase = async (url: string, directory: string): Promise<Database> => {
  refuseMissing(url, directory)
  const db = await openDatabase(url, directory)
  try {
    await db.requireUsable()
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
