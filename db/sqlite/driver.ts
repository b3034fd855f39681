import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { CompiledQuery, SelectQueryNode, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import type { Failure } from '../failure.js'
import { createExecutor } from './statements.js'
import type { WriteLock } from './write-lock.js'

/** A writer that waits this long for another process gives up, and the request is answered 503. Milliseconds. */
export const writerWait = 5000
/** Milliseconds between two tries to get the lock from another process. */
const retryPause = 10

const rolledBack = () => new Sqlite.SqliteError('SQLite has rolled back the transaction', 'SQLITE_IOERR')

const isBusy = (error: unknown) => error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** A connection of Kysely. Inside a transaction it holds the write lock. */
class SqliteConnection implements DatabaseConnection {
  isInTransaction = false
  isRolledBack = false
  constructor(private readonly driver: SqliteDriver) {}
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.driver.execute<R>(this, query)
  }
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are read a page at a time, not as a stream')
  }
}

/** What the drivers of one file share. */
export interface SqliteConnections {
  writer: Sqlite.Database
  reader: Sqlite.Database
  lock: WriteLock
  failure: Failure
}

export interface AfterCommit {
  /** Called after each commit. */
  committed(): void
  /** Resolves when all commits so far are on the disk; absent where writes do not wait for the disk. */
  durable?: () => Promise<void>
}

/**
 * Two connections to one file: one write at a time uses the writer, and reads meanwhile use the reader, so that they never wait. While another
 * process holds the lock of the file, only writers wait. A write resolves when it is durable, and holds the write lock
 * only until it has been committed.
 */
export class SqliteDriver implements Driver {
  readonly #write: ReturnType<typeof createExecutor>
  readonly #read: ReturnType<typeof createExecutor>
  readonly #connections: SqliteConnections
  readonly #afterCommit: AfterCommit
  readonly #maxWait: number

  /** A writer waits for another process for `maxWait` milliseconds. */
  constructor(connections: SqliteConnections, afterCommit: AfterCommit, maxWait: number) {
    this.#write = createExecutor(connections.writer)
    this.#read = createExecutor(connections.reader)
    this.#connections = connections
    this.#afterCommit = afterCommit
    this.#maxWait = maxWait
  }

  async init() {
    // Both connections are open already, so that a file that cannot be opened stops the start.
  }

  async acquireConnection() {
    return new SqliteConnection(this)
  }

  async releaseConnection() {
    // Only a transaction holds anything between queries, and its end releases it.
  }

  async execute<R>(connection: SqliteConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    // A query that was begun together with one that failed would be committed by itself.
    if (connection.isRolledBack) throw new Error('The transaction of this query has been rolled back')
    if (connection.isInTransaction) return this.#writeInTransaction<R>(query)
    // A `select` that is written by hand (`sql`) counts as a write.
    if (SelectQueryNode.is(query.query)) return this.#readNow<R>(query)
    const result = await this.#lockFor(() => this.#write<R>(query))
    this.#connections.lock.release()
    await this.#settle()
    return result
  }

  /**
   * SQLite itself rolls back when the disk is full, for example: further queries would then be committed one by one.
   */
  #writeInTransaction<R>(query: CompiledQuery): QueryResult<R> {
    if (!this.#connections.writer.inTransaction) throw rolledBack()
    return this.#write<R>(query)
  }

  /**
   * A commit empties the page cache of all other connections: while nobody writes, the writer's cache knows more than the reader's.
   */
  #readNow<R>(query: CompiledQuery): QueryResult<R> {
    return this.#connections.lock.isFree() ? this.#write<R>(query) : this.#read<R>(query)
  }

  async #settle() {
    this.#connections.failure.check()
    this.#afterCommit.committed()
    await this.#afterCommit.durable?.()
  }

  // `begin` alone would take SQLite's lock at the first write, and SQLite does not wait for a lock that late.
  async beginTransaction(connection: SqliteConnection) {
    await this.#lockFor(() => this.#write(CompiledQuery.raw('begin immediate')))
    connection.isInTransaction = true
    connection.isRolledBack = false
  }

  async commitTransaction(connection: SqliteConnection) {
    connection.isInTransaction = false
    const { lock } = this.#connections
    try {
      this.#writeInTransaction(CompiledQuery.raw('commit'))
    } catch (error) {
      lock.rollBackAndRelease()
      throw error
    }
    lock.release()
    await this.#settle()
  }

  async rollbackTransaction(connection: SqliteConnection) {
    // Kysely also calls this after a failed commit, which has rolled back already.
    if (!connection.isInTransaction) return
    connection.isInTransaction = false
    connection.isRolledBack = true
    this.#connections.lock.rollBackAndRelease()
  }

  async destroy() {
    // The engine closes the connections: several drivers share them, and Kysely destroys none that was never used.
  }

  /** Runs `work` with the write lock, which the caller releases; when `work` throws, it is released already. */
  async #lockFor<T>(work: () => T): Promise<T> {
    const { lock } = this.#connections
    const deadline = performance.now() + this.#maxWait
    for (;;) {
      await lock.acquire()
      try {
        return work()
      } catch (error) {
        lock.rollBackAndRelease()
        if (!isBusy(error) || performance.now() > deadline) throw error
      }
      await setTimeout(retryPause)
    }
  }
}
