import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from 'kysely'
import type { Tables } from './tables.js'

/**
 * A query of the kind that every request or sign-in runs, compiled once for each engine instead of each time.
 * It is built with any values at all; those of a run take their places, in the order in which they stand in the SQL.
 */
export const compileOnce = <R>(build: (db: Kysely<Tables>) => Compilable<R>) => {
  // A database and its transactions have the adapter in common.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<R>>()
  return async (db: Kysely<Tables>, ...parameters: unknown[]): Promise<R[]> => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (!query) {
      query = build(db).compile()
      if (query.parameters.length !== parameters.length) throw new Error(`Other values than in ${query.sql}`)
      compiled.set(adapter, query)
    }
    return (await db.executeQuery<R>({ ...query, parameters })).rows
  }
}
