import { sql, type Kysely } from 'kysely'
import { createTriggers } from './triggers.js'

/**
 * Whether the server numbers transactions and can tell which of them a snapshot sees. Others that speak its protocol cannot, or
 * have functions of these names that mean nothing.
 */
const numbersTransactions = async (db: Kysely<unknown>): Promise<boolean> => {
  const { rows } = await sql<{ can: boolean }>`
    select version() like 'PostgreSQL %' and version() not like '%-YB-%'
      and to_regprocedure('pg_visible_in_snapshot(xid8,pg_snapshot)') is not null as can`.execute(db)
  return rows[0]?.can === true
}

/**
 * Creates a log of what has changed, with the transactions that changed it. Triggers write it, so that no writer in any process
 * can leave a change out. Where the server does not number transactions, there is no log.
 */
export const createChangeLog = async (db: Kysely<unknown>): Promise<void> => {
  if (!(await numbersTransactions(db))) return
  await sql`create table user_changes (
    xid xid8 not null default pg_current_xact_id(), user_id bigint not null, kind text collate "C" not null)`.execute(
    db,
  )
  await sql`create index user_changes_by_xid on user_changes (xid)`.execute(db)
  await createTriggers(db)
}
