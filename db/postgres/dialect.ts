import {
  ColumnDefinitionNode,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
  type DataTypeNode,
  type Dialect,
} from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from '../tables.js'
import { PostgresConnection, type PostgresTransactionSettings } from './connection.js'
import { PostgresDriver } from './driver.js'
import type { StatementNames } from './statement-names.js'

/**
 * Columns hold and sort what they do on SQLite: an integer has 64 bits, and texts are compared by their code points,
 * whatever the language of the server.
 */
class PortableQueryCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType === 'integer') this.append('bigint')
    else super.visitDataType(node)
    const isColumn = this.parentNode !== undefined && ColumnDefinitionNode.is(this.parentNode)
    if (isColumn && node.dataType === 'text') this.append(' collate "C"')
  }
}

const dialectOf = (pool: Pool, names: StatementNames, answerTimeout?: number): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PostgresDriver(pool, names, answerTimeout),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PortableQueryCompiler(),
})

/** A statement fails when the server has not answered within `answerTimeout` milliseconds. */
export const createKysely = (pool: Pool, names: StatementNames, answerTimeout?: number): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: dialectOf(pool, names, answerTimeout) })

export type RunInTransaction = <T>(
  work: (transaction: Kysely<Tables>) => Promise<T>,
  settings?: PostgresTransactionSettings,
) => Promise<T>

/**
 * Runs `work` in a transaction. Kysely's own would send the next query when the answer to the one before has come: here those that are asked
 * together are sent together, where the pool says `pipeline`.
 */
export const createRunInTransaction = (pool: Pool, names: StatementNames, db: Kysely<Tables>): RunInTransaction => {
  const dialect = dialectOf(pool, names)
  const parts = { config: { dialect }, dialect, driver: dialect.createDriver() }
  const executor = db.getExecutor()
  return (work, settings = {}) =>
    executor.provideConnection(async (connection) => {
      if (!(connection instanceof PostgresConnection)) throw new Error('This is no connection of the driver')
      let isOver = false
      const inside = executor.withConnectionProvider({
        provideConnection: async (use) => {
          // The connection may serve somebody else by now.
          if (isOver) throw new Error('The transaction of this query is over')
          return use(connection)
        },
      })
      try {
        connection.begin(settings)
        const result = await work(new Transaction<Tables>({ ...parts, executor: inside }))
        await (settings.accessMode === 'read only' ? connection.endReading() : connection.commit())
        return result
      } catch (error) {
        await connection.rollback()
        throw error
      } finally {
        isOver = true
      }
    })
}
