import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { fold } from '../fold.js'

interface UserRow {
  id: number
  tenant_id: number
  username: string
  username_key: string
  real_name_key: string
  email: string | null
  email_key: string | null
}

/** A key contains ß only when it was made from ẞ (U+1E9E). */
const hasOldKey = (column: string) => sql`${sql.ref(column)} like '%ß%'`

const find = async (db: Kysely<unknown>, table: string, column: string, key: string, tenantId?: number) => {
  const ofTenant = tenantId === undefined ? sql`` : sql`and tenant_id = ${tenantId}`
  const query = sql<{ id: number }>`select id from ${sql.table(table)} where ${sql.ref(column)} = ${key} ${ofTenant}`
  return (await query.execute(db)).rows[0]?.id
}

const refoldUser = async (db: Kysely<unknown>, user: UserRow, report: (clash: string) => void): Promise<void> => {
  const { id, tenant_id: tenantId } = user
  let { username, email_key: emailKey } = user
  const namesake = await find(db, 'users', 'username_key', fold(username), tenantId)
  if (namesake !== undefined && namesake !== id) {
    username = `${username}~${id}`
    report(`User ${id} of tenant ${tenantId} has the same name as user ${namesake} and is called ${username} now.`)
  }
  if (user.email !== null) {
    const holder = await find(db, 'users', 'email_key', fold(user.email), tenantId)
    emailKey = holder === undefined || holder === id ? fold(user.email) : null
    if (emailKey === null) {
      report(
        `User ${id} of tenant ${tenantId} has the e-mail address of user ${holder} and cannot sign in by it any more.`,
      )
    }
  }
  await sql`update users set username = ${username}, username_key = ${fold(username)},
    real_name_key = ${fold(user.real_name_key)}, email_key = ${emailKey} where id = ${id}`.execute(db)
}

/**
 * Corrects keys that were made from ẞ: it was folded to ß, but ß to ss, so that two users could differ only by it. A
 * user whose corrected key is taken gets another name, which is reported.
 */
export const refoldedKeys = (report: (clash: string) => void): Migration => ({
  up: async (db: Kysely<unknown>) => {
    const users = await sql<UserRow>`
      select id, tenant_id, username, username_key, real_name_key, email, email_key from users
      where ${hasOldKey('username_key')} or ${hasOldKey('real_name_key')} or ${hasOldKey('email_key')} order by id`.execute(
      db,
    )
    for (const user of users.rows) await refoldUser(db, user, report)
    const tenants = await sql<{ id: number; tenant_name: string }>`
      select id, tenant_name from tenants where ${hasOldKey('tenant_name_key')} order by id`.execute(db)
    for (const { id, tenant_name: old } of tenants.rows) {
      const namesake = await find(db, 'tenants', 'tenant_name_key', fold(old))
      const name = namesake === undefined ? old : `${old}~${id}`
      if (name !== old) report(`Tenant ${id} has the same name as tenant ${namesake} and is called ${name} now.`)
      await sql`update tenants set tenant_name = ${name}, tenant_name_key = ${fold(name)} where id = ${id}`.execute(db)
    }
  },
})
