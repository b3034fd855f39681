import type { Compilable, Kysely } from 'kysely'
import { compileOnce } from './compile-once.js'
import type { Tables } from './tables.js'

/** Rows of one statement. Engines bound its parameters, and SQLite copies each page that it changes, to be able to undo it. */
const rowsPerStatement = 50

/**
 * Inserts many rows, each with the same columns in the same order, with few statements. `build` makes the statement
 * for some rows; that takes longer than running it, so it is asked once for each number of rows.
 */
export const createInsertMany = <Row extends object, Result>(
  build: (db: Kysely<Tables>, rows: Row[]) => Compilable<Result>,
) => {
  const inserts = new Map<number, ReturnType<typeof compileOnce<Result>>>()
  return async (db: Kysely<Tables>, rows: Row[]): Promise<Result[]> => {
    const results: Result[] = []
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      const chunk = rows.slice(start, start + rowsPerStatement)
      const insert = inserts.get(chunk.length) ?? compileOnce((any) => build(any, chunk))
      inserts.set(chunk.length, insert)
      const parameters: unknown[] = []
      // Joined like this, which takes a fifth of the time that flatMap does.
      for (const row of chunk) parameters.push(...(Object.values(row) as unknown[]))
      results.push(...(await insert(db, ...parameters)))
    }
    return results
  }
}
