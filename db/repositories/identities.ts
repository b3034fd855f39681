import type { Kysely, Selectable } from 'kysely'
import type { Keeps } from '../keeps.js'
import type { IdentityTable, Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  identities: { key: ['id'], ofUser: 'user_id' },
} satisfies Keeps

/**
 * An account at an identity provider: issuer and subject identify it, never the e-mail address (OpenID Connect Core 2).
 */
export interface ExternalIdentity {
  issuer: string
  subject: string
}

/** An external identity that is linked to a user of a tenant. */
export interface Identity extends ExternalIdentity {
  id: number
  userId: number
  tenantId: number
  platform: string
  displayName: string | null
  /** Epoch milliseconds. */
  createTime: number
}

const toIdentity = (row: Selectable<IdentityTable>): Identity => ({
  id: row.id,
  userId: row.user_id,
  tenantId: row.tenant_id,
  platform: row.platform,
  issuer: row.issuer,
  subject: row.subject,
  displayName: row.display_name,
  createTime: row.create_time,
})

export const createIdentityRepository = (db: Kysely<Tables>) => ({
  async find(tenantId: number, { issuer, subject }: ExternalIdentity): Promise<Identity | undefined> {
    const row = await db
      .selectFrom('identities')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst()
    return row && toIdentity(row)
  },

  async add(identity: Omit<Identity, 'id'>): Promise<Identity> {
    const row = await db
      .insertInto('identities')
      .values({
        user_id: identity.userId,
        tenant_id: identity.tenantId,
        platform: identity.platform,
        issuer: identity.issuer,
        subject: identity.subject,
        display_name: identity.displayName,
        create_time: identity.createTime,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toIdentity(row)
  },

  /** Oldest first. */
  async ofUser(userId: number): Promise<Identity[]> {
    const rows = await db.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('id').execute()
    return rows.map(toIdentity)
  },

  async remove(ids: number[]): Promise<void> {
    if (ids.length > 0) await db.deleteFrom('identities').where('id', 'in', ids).execute()
  },

  async removeOfUser(userId: number): Promise<void> {
    await db.deleteFrom('identities').where('user_id', '=', userId).execute()
  },
})
