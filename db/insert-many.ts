import type { Compilable, Kysely } from 'kysely'
import type { Tables } from './tables.js'

/** Rows of one statement: engines bound the parameters of a statement (SQLite 32766, PostgreSQL 65535). */
const rowsPerStatement = 250

/**
 * Inserts many rows, each with the same columns in the same order, with few statements. `build` makes the statement
 * for some rows; that takes longer than running it, so it is asked once for each number of rows.
 */
export const insertMany = async <Row extends object, Result>(
  db: Kysely<Tables>,
  rows: Row[],
  build: (rows: Row[]) => Compilable<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  let length = 0
  let statement: ReturnType<Compilable<Result>['compile']> | undefined
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const chunk = rows.slice(start, start + rowsPerStatement)
    if (!statement || chunk.length !== length) statement = build(chunk).compile()
    length = chunk.length
    const parameters = chunk.flatMap((row) => Object.values(row) as unknown[])
    results.push(...(await db.executeQuery<Result>({ ...statement, parameters })).rows)
  }
  return results
}
