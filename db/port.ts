import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Failure } from './failure.js'
import type { StepSettings } from './lists/steps.js'
import type { Locks } from './locks.js'
import type { ReportProgress } from './progress.js'
import type { Tables } from './tables.js'
import type { ChangeFeed } from './user-cache.js'
import type { Limits, UserList } from './user-list/index.js'

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
  /** Lets that log tell of the changes of one more table. */
  logChangesOf: (db: Kysely<unknown>, table: string) => Promise<void>
  /** The same for a table of a guest, whose rows belong to the user in this column, or without one to all. */
  logGuestTable: (db: Kysely<unknown>, table: string, userColumn?: string) => Promise<void>
  /**
   * Updates what depends on the columns of the tables, such as triggers. Called after all migrations; until then, changes of users fail
   * where a migration has dropped a column.
   */
  deriveFromColumns: (db: Kysely<Tables>) => Promise<void>
}

/** For copying a whole database to another, also of another engine. */
export interface EngineCopying {
  /** Runs `work`, which reads all rows as they are at one moment. Other processes may write meanwhile. */
  read: <T>(work: (snapshot: Kysely<Tables>) => Promise<T>) => Promise<T>
  /** Runs `work` in one transaction, while no other process can read or write `tables`. Resolves when it is durable. */
  write: <T>(tables: readonly string[], work: (transaction: Kysely<Tables>) => Promise<T>) => Promise<T>
  /** By table: the highest id that has ever been given out, also to rows that no longer exist. */
  lastIds: (db: Kysely<Tables>) => Promise<Map<string, number>>
  /** Makes the next id of each table higher than the given one. */
  setLastIds: (db: Kysely<Tables>, lastIds: Map<string, number>) => Promise<void>
}

/** What a database engine offers. */
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
  /** The names of all tables that statements find. */
  tableNames: () => Promise<string[]>
  /** After it, nothing is written and no commit is reported any more. */
  failure: Failure
  /** Throws when the database does not answer. */
  ping: () => Promise<void>
  /** How the lists other than the user list are read. */
  listSteps: StepSettings
  /** Opens the user list, which must be closed before `db`. */
  openUserList: (limits?: Limits) => UserList
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
  /** For copying all rows to another database. */
  copying: EngineCopying
  close: () => Promise<void>
}
