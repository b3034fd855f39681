import type { CompiledQuery, DatabaseConnection, QueryResult, TransactionSettings } from 'kysely'
import { DatabaseError, type Connection, type PoolClient, type QueryConfig, type QueryResult as Answer } from 'pg'
import { InvalidTextError } from '../errors.js'
import { ConnectionError } from './outage.js'
import type { StatementNames } from './statement-names.js'

/** Statements that are worth a name: not those of migrations. */
const named = new Set(['SelectQueryNode', 'InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])
const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** A statement was prepared before a migration of another process added a column. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan')

export interface PostgresTransactionSettings extends TransactionSettings {
  /** Where statements may take longer and more memory than usual. */
  limits?: { milliseconds: number; kilobytes: number }
}

/** Milliseconds by which the server is given up later than it gives a statement up. */
const answerMargin = 1000

/** A statement of a transaction in which another one has failed. */
const afterFailure = '25P02'

/** The server has ended the connection, or is about to. */
const endsConnection = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC' || isStalePlan(error)

/** An error of `pg` as the rest of the service knows it. */
export const translate = (error: unknown): Error =>
  error instanceof DatabaseError ? error : new ConnectionError(error as Error)

/** PostgreSQL stores no NUL character. */
const checkTexts = (parameters: readonly unknown[]): void => {
  for (const value of parameters) if (typeof value === 'string' && value.includes('\0')) throw new InvalidTextError()
}

/** `pg` itself would wait for the answers to all statements that it has sent. */
const closeAtOnce = (client: PoolClient) =>
  (client as unknown as { connection: Connection }).connection.stream.destroy()

/** A connection of Kysely. It bounds the time that a statement takes. */
export class PostgresConnection implements DatabaseConnection {
  isBroken = false
  #isInTransaction = false
  #mayWrite = false
  #isRolledBack = false
  /** Why the transaction has failed: what was sent with the statement that failed is refused without a reason of its own. */
  #fault: Error | undefined
  /** The answer to BEGIN, which the first reads do not wait for. */
  #begun: Promise<unknown> = Promise.resolve()
  /** Ends with the latest statement, whether it fails or not. */
  #underWay: Promise<void> = Promise.resolve()

  constructor(
    private readonly client: PoolClient,
    private readonly names: StatementNames,
    private answerTimeout: number | undefined,
  ) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    checkTexts(query.parameters)
    // A query that was begun together with one that failed would be committed by itself.
    if (this.#isRolledBack) {
      const fault = new Error('The transaction of this query has been rolled back')
      throw this.isBroken ? translate(fault) : fault
    }
    const { kind } = query.query
    const name = named.has(kind) ? this.names.of(query.sql) : undefined
    // Without its transaction a write would be committed by itself.
    if (this.#mayWrite && kind !== 'SelectQueryNode') await this.#begun
    try {
      return await this.#run(query, name)
    } catch (error) {
      // `transactions.ts` runs the transaction again on another connection.
      if (!isStalePlan(error) || this.#isInTransaction) throw error
      return this.#run(query, undefined)
    }
  }

  async #run<R>({ sql: text, parameters }: CompiledQuery, name: string | undefined): Promise<QueryResult<R>> {
    const values = parameters as unknown[]
    const result = await this.#send(name === undefined ? { text, values } : { name, text, values })
    const rows = result.rows as R[]
    return writes.has(result.command) ? { rows, numAffectedRows: BigInt(result.rowCount ?? 0) } : { rows }
  }

  /**
   * When the server takes longer than the limit, the connection is closed. `pg` has promises and a time limit, too, but with them the
   * rows of earlier answers stayed in the heap until the next major garbage collection, and while pages of the user list were read,
   * that came ten times as often.
   */
  #send(query: QueryConfig<unknown[]>): Promise<Answer> {
    const sent = new Promise<Answer>((resolve, reject) => {
      let isTooSlow = false
      let isAnswered = false
      let timer: NodeJS.Timeout | undefined
      const stop = () => {
        isTooSlow = true
        closeAtOnce(this.client)
      }
      // Until the one before is answered, the server has not begun with this one.
      void this.#underWay.then(() => {
        if (!isAnswered && this.answerTimeout !== undefined) timer = setTimeout(stop, this.answerTimeout)
      })
      this.client.query(query, (error: Error | null, answer: Answer) => {
        isAnswered = true
        clearTimeout(timer)
        this.isBroken ||= error !== null && endsConnection(error)
        if (isTooSlow) reject(translate(new Error('PostgreSQL has not answered in time')))
        else if (error) reject(this.#faultOf(error))
        else resolve(answer)
      })
    })
    const end = () => undefined
    this.#underWay = sent.then(end, end)
    return sent
  }

  #faultOf(error: Error): Error {
    const isRefused = error instanceof DatabaseError && error.code === afterFailure
    if (!isRefused || this.#fault === undefined) this.#fault = translate(error)
    return this.#fault
  }

  /** The first reads are sent at once, behind it. The connection is given back after the transaction. */
  begin({ isolationLevel, accessMode, limits }: PostgresTransactionSettings = {}): void {
    this.#isRolledBack = false
    this.#fault = undefined
    this.#begun = this.#send({
      text: `begin isolation level ${isolationLevel ?? 'read committed'} ${accessMode ?? 'read write'}`,
    })
    if (limits !== undefined) {
      const { milliseconds, kilobytes } = limits
      this.answerTimeout = milliseconds + answerMargin
      const limited = this.#send({
        text: `select set_config('statement_timeout', '${milliseconds}', true), set_config('work_mem', '${kilobytes}', true)`,
      })
      this.#begun = Promise.all([this.#begun, limited])
    }
    // Told to the first write, or to COMMIT.
    this.#begun.catch(() => undefined)
    this.#isInTransaction = true
    this.#mayWrite = accessMode !== 'read only'
  }

  async commit(): Promise<void> {
    await this.#begun
    await this.#sendCommit()
  }

  /** Ends a transaction that has only read. What it has read is right, whatever becomes of it: nobody waits for the answer. */
  async endReading(): Promise<void> {
    await this.#begun
    this.#sendCommit().catch(() => undefined)
  }

  async #sendCommit(): Promise<void> {
    this.#isInTransaction = false
    // PostgreSQL answers COMMIT with ROLLBACK when a statement of the transaction has failed.
    const { command } = await this.#send({ text: 'commit' })
    if (command !== 'COMMIT') throw new Error('PostgreSQL has rolled back the transaction')
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false
    this.#isRolledBack = true
    // When one of several statements fails, another may still run, and `pg` 9 will not queue the rollback behind it.
    await this.#underWay
    // A lost connection is rolled back by the server.
    if (!this.isBroken) await this.#send({ text: 'rollback' })
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are read a page at a time, not as a stream')
  }

  release(): void {
    this.client.release(this.isBroken)
  }
}
