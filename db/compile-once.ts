import { SelectQueryNode, type Compilable, type CompiledQuery, type DialectAdapter, type Kysely } from 'kysely'
import type { MaybePromise } from '../schemas/maybe-promise.js'
import { directOf } from './direct.js'
import type { Tables } from './tables.js'

/**
 * A query of the kind that every request or sign-in runs, compiled once for each engine instead of each time, and run at
 * once where the engine can. It is built with any values at all; those of a run take their places, in the order in which
 * they stand in the SQL.
 */
export const compileOnce = <R>(build: (db: Kysely<Tables>) => Compilable<R>) => {
  // A database and its transactions have the adapter in common.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<R>>()
  const compile = (db: Kysely<Tables>, count: number): CompiledQuery<R> => {
    const { adapter } = db.getExecutor()
    const known = compiled.get(adapter)
    if (known) return known
    const query = build(db).compile()
    if (query.parameters.length !== count) throw new Error(`Other values than in ${query.sql}`)
    compiled.set(adapter, query)
    return query
  }
  return (db: Kysely<Tables>, ...parameters: unknown[]): MaybePromise<R[]> => {
    const query = { ...compile(db, parameters.length), parameters }
    const result = directOf(db)?.(query, SelectQueryNode.is(query.query))
    return result ? (result.rows as R[]) : db.executeQuery<R>(query).then(({ rows }) => rows)
  }
}
