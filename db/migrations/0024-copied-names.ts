import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { cleanCopied, unseenSigns } from '../../lib/copied-text.js'
import { emailKey } from '../email-key.js'
import { fold } from '../fold.js'

interface UserRow {
  id: number
  tenant_id: number
  username: string
  email: string | null
  email_key: string | null
}

const hasUnseen = (column: string) =>
  sql.join(
    unseenSigns.map((sign) => sql`${sql.ref(column)} like ${`%${sign}%`}`),
    sql` or `,
  )

const isFree = async (db: Kysely<unknown>, { id, tenant_id: tenantId }: UserRow, column: string, key: string) => {
  const { rows } = await sql`
    select id from users where tenant_id = ${tenantId} and ${sql.ref(column)} = ${key} and id <> ${id}`.execute(db)
  return rows.length === 0
}

const cleanUser = async (db: Kysely<unknown>, user: UserRow, report: (line: string) => void): Promise<void> => {
  const { id, tenant_id: tenantId } = user
  const say = (what: string) =>
    report(
      `User ${id} of tenant ${tenantId} has ${what} of another user, with a sign that cannot be seen, and cannot sign in by it.`,
    )
  const username = cleanCopied(user.username)
  if (username !== user.username) {
    const key = fold(username)
    if (username !== '' && (await isFree(db, user, 'username_key', key)))
      await sql`update users set username = ${username}, username_key = ${key} where id = ${id}`.execute(db)
    else say('the name')
  }
  const email = user.email === null ? null : cleanCopied(user.email)
  if (email === null || email === user.email) return
  const key = emailKey(email)
  if (!(await isFree(db, user, 'email_key', key))) {
    say('the e-mail address')
    return
  }
  await sql`update users set email = ${email}, email_key = ${key} where id = ${id}`.execute(db)
  await sql`update verified_contacts set contact = ${`email ${key}`}
    where user_id = ${id} and contact = ${`email ${user.email_key ?? ''}`}`.execute(db)
}

/**
 * Earlier versions stored names and addresses with signs that come along unseen with a copied text. They are dropped from what people
 * send, so they are dropped from what is stored, too.
 */
export const copiedNames = (report: (line: string) => void): Migration => ({
  up: async (db: Kysely<unknown>) => {
    const { rows } = await sql<UserRow>`
      select id, tenant_id, username, email, email_key from users
      where ${hasUnseen('username')} or ${hasUnseen('email')} order by id`.execute(db)
    for (const user of rows) await cleanUser(db, user, report)
  },
})
