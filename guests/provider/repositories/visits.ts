import type { Kysely } from 'kysely'
import { compileQuery } from '../../../db/query.js'
import type { Tables } from '../../../db/tables.js'

interface VisitTable {
  /** SHA-256 of host and cookie, base64url. */
  id_hash: string
  user_id: number
  client_id: string
  session_id: string
  grant_id: string
  create_time: number
  expiry: number
}

declare module '../../../db/tables.js' {
  interface OtherTables {
    provider_visits: VisitTable
  }
}

/** A browser that has come from the sign-in to a protected host. It is good while its session lives. Times are epoch milliseconds. */
export interface Visit {
  idHash: string
  userId: number
  clientId: string
  sessionId: string
  /** What the person lets the application know. */
  grantId: string
  createTime: number
  expiry: number
}

/** SQLite takes no offset without a limit. */
const manyRows = 1_000_000

const selectVisit = compileQuery((db, { idHash }: { idHash: string }) =>
  db.selectFrom('provider_visits').selectAll().where('id_hash', '=', idHash),
)

export const createVisits = (db: Kysely<Tables>) => ({
  async find(idHash: string): Promise<Visit | undefined> {
    const [row] = await selectVisit(db, { idHash })
    return (
      row && {
        ...{ idHash, userId: row.user_id, clientId: row.client_id, sessionId: row.session_id, grantId: row.grant_id },
        ...{ createTime: row.create_time, expiry: row.expiry },
      }
    )
  },

  async add(visit: Visit): Promise<void> {
    await db
      .insertInto('provider_visits')
      .values({
        ...{ id_hash: visit.idHash, user_id: visit.userId, client_id: visit.clientId, session_id: visit.sessionId },
        ...{ grant_id: visit.grantId, create_time: visit.createTime, expiry: visit.expiry },
      })
      .execute()
  },

  /** Leaves a user the `kept` latest. */
  async trim(userId: number, kept: number): Promise<void> {
    const others = db
      .selectFrom('provider_visits')
      .select('id_hash')
      .where('user_id', '=', userId)
      .orderBy('create_time', 'desc')
      .limit(manyRows)
      .offset(kept)
    await db.deleteFrom('provider_visits').where('id_hash', 'in', others).execute()
  },

  async remove(idHash: string): Promise<void> {
    await db.deleteFrom('provider_visits').where('id_hash', '=', idHash).execute()
  },
})
