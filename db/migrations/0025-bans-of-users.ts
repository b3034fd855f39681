import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A ban is a state of the account: it moves from a table of its own to the users. */
export const bansOfUsers: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('users').addColumn('banned_until', 'bigint').execute()
    await db.schema.alterTable('users').addColumn('ban_reason', 'text').execute()
    await sql`update users set
      banned_until = (select expiry from user_bans where user_id = users.id),
      ban_reason = (select reason from user_bans where user_id = users.id)
      where id in (select user_id from user_bans)`.execute(db)
    await db.schema.dropTable('user_bans').execute()
    // Few are banned.
    await db.schema
      .createIndex('users_banned')
      .on('users')
      .columns(['banned_until', 'id'])
      .where(sql.ref('banned_until'), 'is not', null)
      .execute()
  },
}
