import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The linked identity that a session was signed in with, so that unlinking ends it. Of the sessions that are there this
 * is not known: those of users with linked identities get 0, and unlinking any of these ends them.
 */
export const sessionIdentities: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('sessions').addColumn('identity_id', 'integer').execute()
    await sql`update sessions set identity_id = 0 where user_id in (select user_id from identities)`.execute(db)
  },
}
