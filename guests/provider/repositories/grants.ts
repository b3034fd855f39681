import type { Kysely, Selectable } from 'kysely'
import { compileQuery } from '../../../db/query.js'
import type { Tables } from '../../../db/tables.js'

interface GrantTable {
  id: string
  user_id: number
  client_id: string
  /** The session in which the application took part. */
  session_id: string | null
  /** What ID tokens and logout tokens call this session. */
  sid: string | null
  /** Separated by blanks. */
  scopes: string
  create_time: number
  last_used_time: number
  expiry: number
}

declare module '../../../db/tables.js' {
  interface OtherTables {
    provider_grants: GrantTable
  }
}

/** What a person lets an application know, in one session. Times are epoch milliseconds. */
export interface Grant {
  id: string
  userId: number
  clientId: string
  sessionId: string | null
  sid: string | null
  scopes: string[]
  createTime: number
  lastUsedTime: number
  expiry: number
}

const toGrant = (row: Selectable<GrantTable>): Grant => ({
  id: row.id,
  userId: row.user_id,
  clientId: row.client_id,
  sessionId: row.session_id,
  sid: row.sid,
  scopes: row.scopes === '' ? [] : row.scopes.split(' '),
  createTime: row.create_time,
  lastUsedTime: row.last_used_time,
  expiry: row.expiry,
})

/** SQLite takes no offset without a limit. */
const manyRows = 1_000_000

const selectGrant = compileQuery((db, { id }: { id: string }) =>
  db.selectFrom('provider_grants').selectAll().where('id', '=', id),
)
const selectOfSession = compileQuery((db, { sessionId, clientId }: { sessionId: string; clientId: string }) =>
  db.selectFrom('provider_grants').selectAll().where('session_id', '=', sessionId).where('client_id', '=', clientId),
)

export const createGrants = (db: Kysely<Tables>) => ({
  async find(id: string): Promise<Grant | undefined> {
    const [row] = await selectGrant(db, { id })
    return row && toGrant(row)
  },

  async ofSession(sessionId: string, clientId: string): Promise<Grant | undefined> {
    const [row] = await selectOfSession(db, { sessionId, clientId })
    return row && toGrant(row)
  },

  /** Adds the grant of a session, unless another request was faster; returns the one that is there. */
  async add(grant: Grant & { sessionId: string }): Promise<Grant> {
    await db
      .insertInto('provider_grants')
      .values({
        id: grant.id,
        user_id: grant.userId,
        client_id: grant.clientId,
        session_id: grant.sessionId,
        sid: grant.sid,
        scopes: grant.scopes.join(' '),
        create_time: grant.createTime,
        last_used_time: grant.lastUsedTime,
        expiry: grant.expiry,
      })
      .onConflict((conflict) => conflict.columns(['session_id', 'client_id']).doNothing())
      .execute()
    return (await this.ofSession(grant.sessionId, grant.clientId)) ?? grant
  },

  /** Leaves a user the `kept` grants that were used last; the others end with their tokens. */
  async trim(userId: number, kept: number): Promise<void> {
    const rows = await db
      .selectFrom('provider_grants')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('last_used_time', 'desc')
      .limit(manyRows)
      .offset(kept)
      .execute()
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    for (const table of ['provider_entries', 'provider_visits'] as const)
      await db.deleteFrom(table).where('grant_id', 'in', ids).execute()
    await db.deleteFrom('provider_grants').where('id', 'in', ids).execute()
  },

  async use(id: string, scopes: string[], now: number): Promise<void> {
    await db
      .updateTable('provider_grants')
      .set({ scopes: scopes.join(' '), last_used_time: now })
      .where('id', '=', id)
      .execute()
  },

  /** Those of a user for one application or, without, for all. */
  async ofUser(userId: number, clientId?: string): Promise<Grant[]> {
    let query = db.selectFrom('provider_grants').selectAll().where('user_id', '=', userId)
    if (clientId !== undefined) query = query.where('client_id', '=', clientId)
    return (await query.execute()).map(toGrant)
  },

  /** Ends all that an application has of a user, tokens included. */
  async removeOfUser(userId: number, clientId: string): Promise<void> {
    for (const table of ['provider_entries', 'provider_visits', 'provider_grants'] as const)
      await db.deleteFrom(table).where('user_id', '=', userId).where('client_id', '=', clientId).execute()
  },

  async remove(id: string): Promise<void> {
    await db.deleteFrom('provider_grants').where('id', '=', id).execute()
  },
})
