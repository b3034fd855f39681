import type { Driver, TransactionSettings } from 'kysely'
import type { Pool } from 'pg'
import { OverloadError } from '../errors.js'
import { PostgresConnection, translate } from './connection.js'
import type { StatementNames } from './statement-names.js'

/** Requests that wait for a connection of a pool; more are answered 503 at once. */
const maxWaiting = 500

/** Connects Kysely with a pool of `pg`. */
export class PostgresDriver implements Driver {
  constructor(
    private readonly pool: Pool,
    private readonly names: StatementNames,
    private readonly answerTimeout: number | undefined,
  ) {}

  async init() {
    // The pool opens its connections when they are needed.
  }

  async acquireConnection() {
    if (this.pool.waitingCount >= maxWaiting) throw new OverloadError('Too many requests wait for the database')
    try {
      return new PostgresConnection(await this.pool.connect(), this.names, this.answerTimeout)
    } catch (error) {
      throw translate(error)
    }
  }

  async beginTransaction(connection: PostgresConnection, settings: TransactionSettings) {
    connection.begin(settings)
  }

  commitTransaction(connection: PostgresConnection) {
    return connection.commit()
  }

  rollbackTransaction(connection: PostgresConnection) {
    return connection.rollback()
  }

  async releaseConnection(connection: PostgresConnection) {
    connection.release()
  }

  async destroy() {
    await this.pool.end()
  }
}
