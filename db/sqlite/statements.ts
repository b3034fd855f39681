import type Sqlite from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'

/** Prepared statements that each connection keeps: filters and sort columns multiply into many. */
const maxPreparedStatements = 500

type Run = (parameters: readonly unknown[]) => QueryResult<unknown>

const prepareRead =
  (statement: Sqlite.Statement): Run =>
  (parameters) => ({ rows: statement.all(parameters) })

const prepareWrite =
  (statement: Sqlite.Statement): Run =>
  (parameters) => {
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

/** Runs queries at once with statements that `connection` keeps prepared. */
export const createExecutor = (connection: Sqlite.Database) => {
  const prepared = new LRUCache<string, Run>({ max: maxPreparedStatements })
  const prepare = (sql: string): Run => {
    const statement = connection.prepare(sql)
    const run = statement.reader ? prepareRead(statement) : prepareWrite(statement)
    prepared.set(sql, run)
    return run
  }
  return <R>({ sql, parameters }: CompiledQuery): QueryResult<R> =>
    (prepared.get(sql) ?? prepare(sql))(parameters) as QueryResult<R>
}
