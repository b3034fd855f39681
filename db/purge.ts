import { sql, type Kysely } from 'kysely'
import type { Tables } from './tables.js'

/** Deletes up to `limit` rows whose `column` is at or before `time`, the oldest first; returns how many. */
export const purge = async (
  db: Kysely<Tables>,
  { table, key, column }: { table: keyof Tables; key: string; column: string },
  time: number,
  limit: number,
): Promise<number> => {
  const [from, id, at] = [sql.table(table), sql.ref(key), sql.ref(column)]
  const old = sql`select ${id} from ${from} where ${at} <= ${time} order by ${at} limit ${limit}`
  const { numAffectedRows } = await sql`delete from ${from} where ${id} in (${old})`.execute(db)
  return Number(numAffectedRows)
}
