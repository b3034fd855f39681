import type { Kysely, Selectable } from 'kysely'
import { compileQuery } from '../../../db/query.js'
import type { Flag, Tables } from '../../../db/tables.js'

interface EntryTable {
  /** SHA-256 of kind and token, base64url: the token itself is nowhere. */
  id_hash: string
  kind: string
  /** JSON, encrypted with the master secret. */
  payload: string
  grant_id: string | null
  client_id: string | null
  user_id: number | null
  session_id: string | null
  /** Whether it outlives the sign-out. */
  is_offline: Flag
  consumed_time: number | null
  create_time: number
  expiry: number
}

declare module '../../../db/tables.js' {
  interface OtherTables {
    provider_entries: EntryTable
  }
}

/** A code, a token or a sign-in under way. Times are epoch milliseconds. */
export interface Entry {
  idHash: string
  kind: string
  encryptedPayload: string
  grantId: string | null
  clientId: string | null
  userId: number | null
  sessionId: string | null
  isOffline: boolean
  consumedTime: number | null
  createTime: number
  expiry: number
}

const toEntry = (row: Selectable<EntryTable>): Entry => ({
  idHash: row.id_hash,
  kind: row.kind,
  encryptedPayload: row.payload,
  grantId: row.grant_id,
  clientId: row.client_id,
  userId: row.user_id,
  sessionId: row.session_id,
  isOffline: row.is_offline === 1,
  consumedTime: row.consumed_time,
  createTime: row.create_time,
  expiry: row.expiry,
})

/** SQLite takes no offset without a limit. */
const manyRows = 1_000_000

const selectEntry = compileQuery((db, { idHash }: { idHash: string }) =>
  db.selectFrom('provider_entries').selectAll().where('id_hash', '=', idHash),
)

export const createEntries = (db: Kysely<Tables>) => ({
  async find(idHash: string): Promise<Entry | undefined> {
    const [row] = await selectEntry(db, { idHash })
    return row && toEntry(row)
  },

  /** Adds an entry, or puts its payload and expiry in the place of those it had. */
  async put(entry: Omit<Entry, 'consumedTime'>): Promise<void> {
    const changed = { payload: entry.encryptedPayload, expiry: entry.expiry }
    await db
      .insertInto('provider_entries')
      .values({
        id_hash: entry.idHash,
        kind: entry.kind,
        ...changed,
        grant_id: entry.grantId,
        client_id: entry.clientId,
        user_id: entry.userId,
        session_id: entry.sessionId,
        is_offline: entry.isOffline ? 1 : 0,
        consumed_time: null,
        create_time: entry.createTime,
      })
      .onConflict((conflict) => conflict.column('id_hash').doUpdateSet(changed))
      .execute()
  },

  /** Leaves a user the `kept` latest entries of a kind. */
  async trim(userId: number, kind: string, kept: number): Promise<void> {
    const others = db
      .selectFrom('provider_entries')
      .select('id_hash')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .orderBy('create_time', 'desc')
      .limit(manyRows)
      .offset(kept)
    await db.deleteFrom('provider_entries').where('id_hash', 'in', others).execute()
  },

  /** Marks an entry as used; false where somebody else was faster. */
  async consume(idHash: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('provider_entries')
      .set({ consumed_time: now })
      .where('id_hash', '=', idHash)
      .where('consumed_time', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  async remove(idHash: string): Promise<void> {
    await db.deleteFrom('provider_entries').where('id_hash', '=', idHash).execute()
  },

  async removeOfGrant(grantId: string): Promise<void> {
    await db.deleteFrom('provider_entries').where('grant_id', '=', grantId).execute()
  },
})
