import type Sqlite from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'

/** Prepared statements that each connection keeps: filters and sort columns multiply into many. */
const maxPreparedStatements = 500

type Run = (parameters: readonly unknown[]) => QueryResult<unknown>

/**
 * Builds rows by copying an object that has all columns: that takes half the time of rows that better-sqlite3 builds.
 */
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
    // After the run, because SQLite recompiles a statement when a migration has changed the columns of `*`.
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
