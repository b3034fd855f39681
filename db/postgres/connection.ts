import {
  SelectQueryNode,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
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

/** Whether a statement failed only because an earlier one of its transaction had failed. */
const isConsequence = (error: unknown): boolean => error instanceof DatabaseError && error.code === '25P02'

/** `pg` itself would wait for the answers to all statements that it has sent. */
const closeAtOnce = (client: PoolClient) =>
  (client as unknown as { connection: Connection }).connection.stream.destroy()

/** A connection of Kysely. It bounds the time that a statement takes, and sends the statements of a transaction without waiting. */
export class PostgresConnection implements DatabaseConnection {
  isBroken = false
  #isInTransaction = false
  #isRolledBack = false
  /** The answer to `begin`; undefined once the server has begun. */
  #beginning: Promise<unknown> | undefined
  #isWriteWaiting = false
  /** The first error of the transaction. */
  #cause: unknown
  /** Statements that have not been answered. */
  #waiting = 0
  #timer: NodeJS.Timeout | undefined
  #isTooSlow = false
  readonly #client: PoolClient
  readonly #names: StatementNames
  readonly #answerTimeout: number | undefined

  constructor(client: PoolClient, names: StatementNames, answerTimeout: number | undefined) {
    this.#client = client
    this.#names = names
    this.#answerTimeout = answerTimeout
  }

  /** Sends a query before it returns, unless it must wait for the answer to `begin`. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    checkTexts(query.parameters)
    if (this.#mustWait(query)) await this.#beginning
    // A query that was begun together with one that failed would be committed by itself.
    if (this.#isRolledBack) throw new Error('The transaction of this query has been rolled back')
    const name = named.has(query.query.kind) ? this.#names.of(query.sql) : undefined
    try {
      return await this.#run(query, name)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      // The other connections have such statements, too: a transaction that runs again must not meet one more.
      this.#names.renew()
      if (this.#isInTransaction) throw error
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
   * Sends a statement, also while others have not been answered. When the server takes longer than the limit for one of them, the
   * connection is closed. `pg` has promises and a time limit, too, but with them the rows of earlier answers stayed in the heap until
   * the next major garbage collection, and while pages of the user list were read, that came ten times as often.
   */
  #send(query: QueryConfig<unknown[]>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting++ === 0) this.#limitTime()
      this.#client.query(query, (error: Error | null, answer: Answer) => {
        // The server begins with the next statement only now.
        if (--this.#waiting > 0) this.#timer?.refresh()
        else clearTimeout(this.#timer)
        if (error) reject(this.#explain(error))
        else resolve(answer)
      })
    })
  }

  #limitTime(): void {
    if (this.#answerTimeout === undefined) return
    this.#timer = setTimeout(() => {
      this.#isTooSlow = true
      closeAtOnce(this.#client)
    }, this.#answerTimeout)
  }

  /** The error to report: for a statement that failed because of an earlier one, the error of that one. */
  #explain(error: Error): Error {
    this.isBroken ||= endsConnection(error)
    if (this.#isTooSlow) return translate(new Error('PostgreSQL has not answered in time'))
    if (isConsequence(error)) return translate(this.#cause ?? error)
    this.#cause ??= error
    return translate(error)
  }

  /** After a `begin` that failed, a write would be committed by itself. What is asked after a write comes after it. */
  #mustWait({ query }: CompiledQuery): boolean {
    if (!this.#beginning) return false
    this.#isWriteWaiting ||= !SelectQueryNode.is(query)
    return this.#isWriteWaiting
  }

  /** Does not wait for the answer: locks and reads are sent right behind `begin`, in one round trip. */
  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const text = `begin isolation level ${isolationLevel ?? 'read committed'} ${accessMode ?? 'read write'}`
    this.#cause = undefined
    this.#isInTransaction = true
    this.#isRolledBack = false
    this.#isWriteWaiting = false
    this.#beginning = this.#send({ text }).then(() => (this.#beginning = undefined))
    // The next write, or the commit, rejects with it.
    this.#beginning.catch(() => undefined)
  }

  async commit(): Promise<void> {
    await this.#beginning
    this.#isInTransaction = false
    // PostgreSQL answers COMMIT with ROLLBACK when a statement of the transaction has failed.
    const { command } = await this.#send({ text: 'commit' })
    if (command !== 'COMMIT') throw new Error('PostgreSQL has rolled back the transaction')
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false
    this.#isRolledBack = true
    // A lost connection is rolled back by the server.
    if (!this.isBroken) await this.#send({ text: 'rollback' })
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are read a page at a time, not as a stream')
  }

  release(): void {
    this.#client.release(this.isBroken)
  }
}
