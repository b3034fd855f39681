import type { Kysely, Selectable } from 'kysely'
import type { Tables } from '../../../db/tables.js'

interface ConsentTable {
  user_id: number
  client_id: string
  /** Separated by blanks. */
  scopes: string
  create_time: number
  last_used_time: number
}

declare module '../../../db/tables.js' {
  interface OtherTables {
    provider_consents: ConsentTable
  }
}

/** What somebody lets an application know, in all sessions. Times are epoch milliseconds. */
export interface Consent {
  userId: number
  clientId: string
  scopes: string[]
  createTime: number
  lastUsedTime: number
}

const toConsent = (row: Selectable<ConsentTable>): Consent => ({
  userId: row.user_id,
  clientId: row.client_id,
  scopes: row.scopes.split(' '),
  createTime: row.create_time,
  lastUsedTime: row.last_used_time,
})

export const createConsents = (db: Kysely<Tables>) => ({
  async find(userId: number, clientId: string): Promise<Consent | undefined> {
    const row = await db
      .selectFrom('provider_consents')
      .selectAll()
      .where('user_id', '=', userId)
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    return row && toConsent(row)
  },

  async ofUser(userId: number): Promise<Consent[]> {
    const rows = await db.selectFrom('provider_consents').selectAll().where('user_id', '=', userId).execute()
    return rows.map(toConsent)
  },

  /** Remembers a consent, or what is in it now. */
  async put({ userId, clientId, scopes, createTime, lastUsedTime }: Consent): Promise<void> {
    const changed = { scopes: scopes.join(' '), last_used_time: lastUsedTime }
    await db
      .insertInto('provider_consents')
      .values({ user_id: userId, client_id: clientId, create_time: createTime, ...changed })
      .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doUpdateSet(changed))
      .execute()
  },

  async remove(userId: number, clientId: string): Promise<void> {
    await db.deleteFrom('provider_consents').where('user_id', '=', userId).where('client_id', '=', clientId).execute()
  },
})
