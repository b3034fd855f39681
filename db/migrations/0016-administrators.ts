import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An index of the few users who are administrators: who changes a role asks which of them have it. */
export const administrators: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createIndex('users_administrators')
      .on('users')
      .columns(['user_type', 'id'])
      .where(sql.ref('user_type'), '<', sql.lit(2))
      .execute()
  },
}
