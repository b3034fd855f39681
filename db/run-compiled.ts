import type { CompiledQuery, Kysely } from 'kysely'

/** Runs a query that was compiled once, with these values in the place of those that it was compiled with. */
export const runCompiled = async <R>(
  db: Pick<Kysely<unknown>, 'executeQuery'>,
  query: CompiledQuery<R>,
  ...parameters: unknown[]
): Promise<R[]> => (await db.executeQuery<R>({ ...query, parameters })).rows
