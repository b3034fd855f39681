import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The orders of the login log and of the live sessions, in all and of a tenant or a user. */
export const listsInOrder: Migration = {
  up: async (db: Kysely<unknown>) => {
    const log = (name: string, columns: string[]) =>
      db.schema.createIndex(name).on('login_log').columns(columns).execute()
    await log('login_log_by_tenant', ['tenant_id', 'time', 'id'])
    await log('login_log_by_user', ['user_id', 'time', 'id'])
    const live = (name: string, columns: string[]) =>
      db.schema.createIndex(name).on('sessions').columns(columns).where(sql.ref('end_time'), 'is', null).execute()
    await live('sessions_live_by_start', ['create_time', 'id'])
    await live('sessions_live_by_activity', ['last_active_time', 'id'])
    await live('sessions_live_by_tenant', ['tenant_id', 'create_time', 'id'])
  },
}
