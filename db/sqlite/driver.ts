import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { CompiledQuery, SelectQueryNode, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Direct } from '../engine.js'
import type { Failure } from '../failure.js'
import type { SharedCommits } from './shared-commits.js'

/** A writer that waits longer than this for another process gives up, which is answered 503. Milliseconds. */
const longestWait = 5000
const pause = 10
/** Filters and sort columns multiply into statements; this many stay prepared for each connection. */
const preparedStatements = 500

const isBusy = (error: unknown) => error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

type Run = (parameters: readonly unknown[]) => QueryResult<unknown>

/** Copying an object with all columns is half of the work of having SQLite's values put into one by name. */
const prepareRead = (statement: Sqlite.Statement): Run => {
  statement.raw()
  let columns: string[] = []
  let blank: Record<string, unknown> = {}
  const readColumns = () => {
    columns = statement.columns().map(({ name }) => name)
    blank = Object.fromEntries(columns.map((name) => [name, null]))
  }
  const toRow = (values: unknown[]) => {
    const row = { ...blank }
    columns.forEach((name, index) => (row[name] = values[index]))
    return row
  }
  return (parameters) => {
    const rows = statement.all(parameters) as unknown[][]
    // Not before it has run: SQLite compiles it anew when a migration has changed the schema, and `*` has other columns then.
    if (rows[0] && rows[0].length !== columns.length) readColumns()
    return { rows: rows.map(toRow) }
  }
}

const prepareWrite =
  (statement: Sqlite.Statement): Run =>
  (parameters) => {
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

const createExecutor = (connection: Sqlite.Database) => {
  const prepared = new LRUCache<string, Run>({ max: preparedStatements })
  const prepare = (sql: string): Run => {
    const statement = connection.prepare(sql)
    const run = statement.reader ? prepareRead(statement) : prepareWrite(statement)
    prepared.set(sql, run)
    return run
  }
  return <R>({ sql, parameters }: CompiledQuery): QueryResult<R> =>
    (prepared.get(sql) ?? prepare(sql))(parameters) as QueryResult<R>
}

class SqliteConnection implements DatabaseConnection {
  /** Between `begin` and the end of the transaction, this connection alone has the writer. */
  holdsWriter = false
  /** Whether its transaction is part of that of another. */
  isSaved = false
  readonly #driver: SqliteDriver
  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#driver.execute<R>(this, query)
  }
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are read a page at a time, not as a stream')
  }
}

/** What the drivers of one file share. */
export interface SqliteConnections {
  writer: Sqlite.Database
  reader: Sqlite.Database
  commits: SharedCommits
  failure: Failure
  close: () => Promise<void>
}

/** What follows a commit. */
export interface Settle {
  /** At once. */
  now(): void
  /** Resolves when the commit may be answered for; absent when that is at once. */
  wait?: () => Promise<void>
}

/**
 * Two connections to one file: reads go to the reader and wait for nobody, writes take turns at the writer. A lock of
 * another process holds up writers only, and not even those keep their turn while they wait.
 * A write ends when what `settle` waits for after its commit is done; meanwhile others may write.
 */
export class SqliteDriver implements Driver {
  readonly #write: ReturnType<typeof createExecutor>
  readonly #read: ReturnType<typeof createExecutor>
  readonly #commits: SharedCommits
  readonly #failure: Failure
  readonly #settle: Settle
  readonly #close: SqliteConnections['close']

  constructor({ writer, reader, commits, failure, close }: SqliteConnections, settle: Settle) {
    this.#write = createExecutor(writer)
    this.#read = createExecutor(reader)
    this.#commits = commits
    this.#failure = failure
    this.#settle = settle
    this.#close = close
  }

  async init() {
    // Both connections are open already: a file that cannot be opened is told at the start.
  }

  async acquireConnection() {
    return new SqliteConnection(this)
  }

  async releaseConnection() {
    // Nothing is held between queries but by a transaction, which gives it back itself.
  }

  async execute<R>(connection: SqliteConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    if (connection.holdsWriter) return this.#write<R>(query)
    if (SelectQueryNode.is(query.query)) return this.#read<R>(query)
    const write = () => this.#write<R>(query)
    const result = await this.#enter(write, write)
    await this.#commits.leave()
    await this.#afterCommit()
    return result
  }

  /** What need not wait: reads, whatever a transaction does, and writes of short-lived state while nobody else writes. */
  readonly direct: Direct = {
    outside: (query, isRead) => (isRead ? this.#readNow(query) : this.#writeNow(query)),
    inside: (query) => this.#write(query),
  }

  /** SQLite forgets every page that a connection has in memory when another one commits: between writes, the writer knows more. */
  #readNow(query: CompiledQuery): QueryResult<unknown> {
    return this.#commits.isIdle() ? this.#write(query) : this.#read(query)
  }

  #writeNow(query: CompiledQuery): QueryResult<unknown> | undefined {
    if (this.#settle.wait || !this.#commits.isIdle()) return undefined
    try {
      const result = this.#write(query)
      this.#settle.now()
      return result
    } catch (error) {
      // Another process writes: that is waited for elsewhere.
      if (isBusy(error)) return undefined
      throw error
    }
  }

  async #afterCommit() {
    this.#failure.check()
    this.#settle.now()
    await this.#settle.wait?.()
  }

  // `begin` alone takes the write lock at the first write, and a lock taken that late ignores every patience.
  async beginTransaction(connection: SqliteConnection) {
    const begin = () => {
      this.#write(CompiledQuery.raw('begin immediate'))
      this.#commits.open()
    }
    const join = () => {
      this.#commits.save()
      connection.isSaved = true
    }
    await this.#enter(begin, join)
    connection.holdsWriter = true
  }

  async commitTransaction(connection: SqliteConnection) {
    connection.holdsWriter = false
    await this.#commits.leave(connection)
    await this.#afterCommit()
  }

  async rollbackTransaction(connection: SqliteConnection) {
    // What was committed and did not settle is no longer in the way of others, and cannot be undone.
    if (!connection.holdsWriter) return
    connection.holdsWriter = false
    this.#commits.undo(connection)
  }

  async destroy() {
    await this.#close()
  }

  /** Runs `alone` when the writer is free, or `inside` in the open transaction of others. When it throws, it is over. */
  async #enter<T>(alone: () => T, inside: () => T): Promise<T> {
    const deadline = performance.now() + longestWait
    for (;;) {
      const isIn = await this.#commits.enter()
      try {
        return isIn ? inside() : alone()
      } catch (error) {
        this.#commits.abandon()
        if (isIn || !isBusy(error) || performance.now() > deadline) throw error
      }
      await setTimeout(pause)
    }
  }
}
