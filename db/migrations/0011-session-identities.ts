import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The linked identity that started a session, so that unlinking it ends the session. It is unknown for existing
 * sessions: those of users with linked identities get 0, and unlinking any of the identities ends them.
 */
export const sessionIdentities: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('sessions').addColumn('identity_id', 'integer').execute()
    await sql`update sessions set identity_id = 0 where user_id in (select user_id from identities)`.execute(db)
  },
}
