import { sql, type Kysely } from 'kysely'
import { createTriggers } from './triggers.js'

/**
 * Creates a log of what has changed, with the transactions that changed it. Triggers write it, so that no writer in any process
 * can leave a change out.
 */
export const createChangeLog = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table user_changes (
    xid xid8 not null default pg_current_xact_id(), user_id bigint not null, kind text collate "C" not null)`.execute(
    db,
  )
  await sql`create index user_changes_by_xid on user_changes (xid)`.execute(db)
  await createTriggers(db)
}
