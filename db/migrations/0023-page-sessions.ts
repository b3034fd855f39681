import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The hash of the secret in the page cookie of a session. Existing sessions have no such cookie. */
export const pageSessions: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('sessions').addColumn('page_secret_hash', 'text').execute()
  },
}
