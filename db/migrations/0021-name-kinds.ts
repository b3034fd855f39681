import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { emailKey } from '../email-key.js'
import { fold } from '../fold.js'

interface UserRow {
  id: number
  tenant_id: number
  email: string
}

/**
 * Domains of e-mail addresses are compared in their ASCII form. A user whose address is now that of another user keeps the
 * old key, which no sign-in looks up: `rollcall doctor` counts such users.
 */
const rewriteEmailKey = async (db: Kysely<unknown>, { id, tenant_id: tenantId, email }: UserRow): Promise<void> => {
  const [before, after] = [fold(email), emailKey(email)]
  if (before === after) return
  const holders = await sql<{ id: number }>`
    select id from users where tenant_id = ${tenantId} and email_key = ${after} and id <> ${id}`.execute(db)
  if (holders.rows.length > 0) return
  await sql`update users set email_key = ${after} where id = ${id}`.execute(db)
  await sql`update verified_contacts set contact = ${`email ${after}`}
    where user_id = ${id} and contact = ${`email ${before}`}`.execute(db)
}

/** User names, phone numbers and e-mail addresses are kinds of names of their own in every key. */
export const nameKinds: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`update verified_contacts
      set contact = case when contact like '%@%' then 'email ' || contact else 'phone ' || contact end`.execute(db)
    const users = await sql<UserRow>`
      select id, tenant_id, email from users where octet_length(email) <> length(email) order by id`.execute(db)
    for (const user of users.rows) await rewriteEmailKey(db, user)
  },
}
