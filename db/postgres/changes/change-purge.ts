import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../tables.js'

/** Changes are kept for this long after their commit. Milliseconds. */
const keepTime = 10 * 60_000

/** All transactions with a smaller number had ended at that time. */
interface Horizon {
  xid: string
  time: number
}

const readHorizon = async (db: Kysely<Tables>): Promise<string> => {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`.execute(db)
  const [row] = rows
  if (!row) throw new Error('PostgreSQL did not tell its oldest transaction')
  return row.xid
}

/** Deletes what has ended before `xid`, and what comes from another server: its transactions have not been here yet. */
const deleteBefore = async (db: Kysely<Tables>, xid: string, limit: number): Promise<number> => {
  const { rows } = await sql`
    delete from user_changes where ctid = any(array(
      select ctid from user_changes
      where xid < ${xid}::xid8 or xid >= pg_snapshot_xmax(pg_current_snapshot())
      limit ${limit}::bigint for update skip locked))
    returning 1`.execute(db)
  return rows.length
}

/**
 * Deletes old changes. Not by the time at which they were written: a transaction may be open for long, and its changes are
 * new when it is committed. So this remembers at each call which transactions had ended.
 */
export const createChangePurge = (db: Kysely<Tables>) => {
  let horizons: Horizon[] = []

  /** Deletes up to `limit` changes that were committed ten minutes before `time` (epoch milliseconds); returns how many. */
  return async (time: number, limit: number): Promise<number> => {
    if (horizons.at(-1)?.time !== time) horizons.push({ xid: await readHorizon(db), time })
    const known = horizons.findLast((horizon) => horizon.time <= time - keepTime)
    if (!known) return 0
    horizons = horizons.slice(horizons.indexOf(known))
    return deleteBefore(db, known.xid, limit)
  }
}
