import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who has been invited and has not come yet, and in which language a user is written to. */
export const invitedUsers: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('users').addColumn('invited_time', 'bigint').execute()
    await db.schema.alterTable('users').addColumn('language', 'text').execute()
  },
}
