import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { CompiledQuery, SelectQueryNode, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Direct } from './direct.js'
import type { createMutex } from './mutex.js'

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
  const columns = statement.columns().map(({ name }) => name)
  const blank: Record<string, unknown> = Object.fromEntries(columns.map((name) => [name, null]))
  const toRow = (values: unknown[]) => {
    const row = { ...blank }
    columns.forEach((name, index) => (row[name] = values[index]))
    return row
  }
  return (parameters) => ({ rows: (statement.all(parameters) as unknown[][]).map(toRow) })
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
  /** Who has it may write. */
  turn: ReturnType<typeof createMutex>
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
  readonly #turn: SqliteConnections['turn']
  readonly #settle: Settle
  readonly #close: SqliteConnections['close']

  constructor({ writer, reader, turn, close }: SqliteConnections, settle: Settle) {
    this.#write = createExecutor(writer)
    this.#read = createExecutor(reader)
    this.#turn = turn
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
    const result = await this.#takeTurn<R>(query).finally(() => this.#turn.release())
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
    return this.#turn.isTaken() ? this.#read(query) : this.#write(query)
  }

  #writeNow(query: CompiledQuery): QueryResult<unknown> | undefined {
    if (this.#settle.wait || this.#turn.isTaken()) return undefined
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
    this.#settle.now()
    await this.#settle.wait?.()
  }

  // `begin` alone takes the write lock at the first write, and a lock taken that late ignores every patience.
  async beginTransaction(connection: SqliteConnection) {
    try {
      await this.#takeTurn(CompiledQuery.raw('begin immediate'))
      connection.holdsWriter = true
    } catch (error) {
      this.#turn.release()
      throw error
    }
  }

  async commitTransaction(connection: SqliteConnection) {
    this.#end(connection, 'commit')
    await this.#afterCommit()
  }

  async rollbackTransaction(connection: SqliteConnection) {
    // What was committed and did not settle is no longer in the way of others, and cannot be undone.
    if (connection.holdsWriter) this.#end(connection, 'rollback')
  }

  async destroy() {
    await this.#close()
  }

  #end(connection: SqliteConnection, statement: 'commit' | 'rollback') {
    this.#write(CompiledQuery.raw(statement))
    connection.holdsWriter = false
    this.#turn.release()
  }

  /** Runs the query when the writer is free, and returns still holding the turn, also when it throws. */
  async #takeTurn<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const deadline = performance.now() + longestWait
    for (;;) {
      await this.#turn.acquire()
      try {
        return this.#write<R>(query)
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
      }
      this.#turn.release()
      await setTimeout(pause)
    }
  }
}
