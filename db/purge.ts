import { sql, type Kysely } from 'kysely'
import { keptTables } from './repositories/kept.js'
import type { Tables } from './tables.js'

const day = 24 * 3600 * 1000

/** How many days the rows of a log are kept, by the setting that says so. */
export type KeptFor = Record<'loginLog' | 'audit', number>

interface Handles {
  db: Kysely<Tables>
  /** Does not wait for the disk. */
  shortLived: Kysely<Tables>
}

/**
 * The tables whose rows expire. `purge` deletes up to `limit` rows that have expired at the time `now`, the oldest first, and resolves to
 * how many.
 */
export const createExpiring = ({ db, shortLived }: Handles) =>
  keptTables.flatMap(({ name, key: [key = ''], expires, isShortLived = false }) => {
    if (!expires) return []
    const { column, keptFor } = expires
    const [from, id, at] = [sql.table(name), sql.ref(key), sql.ref(column)]
    const purge = async (now: number, limit: number, days: KeptFor): Promise<number> => {
      const time = keptFor === undefined ? now : now - days[keptFor] * day - 1
      const old = sql`select ${id} from ${from} where ${at} <= ${time} order by ${at} limit ${limit}`
      const { numAffectedRows } = await sql`delete from ${from} where ${id} in (${old})`.execute(
        isShortLived ? shortLived : db,
      )
      return Number(numAffectedRows)
    }
    return { table: name, purge }
  })
