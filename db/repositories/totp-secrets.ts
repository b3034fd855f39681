import type { Kysely, Selectable } from 'kysely'
import type { Keeps } from '../keeps.js'
import { compileQuery } from '../query.js'
import type { Tables, TotpSecretTable } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  totp_secrets: {
    key: ['id'],
    ofUser: 'user_id',
    encrypted: { column: 'encrypted_secret', purposeOf: (id) => `totp ${id}` },
  },
} satisfies Keeps

/** An authenticator app (RFC 6238). */
export interface TotpSecret {
  id: string
  userId: number
  /** 1 to 64 visible characters. */
  name: string
  /** Encrypted with the master secret, for the purpose `totp <id>`. */
  encryptedSecret: string
  /** The latest time step whose code was used. */
  lastStep: number
  /** Epoch milliseconds, like all times here. */
  createTime: number
  lastUsedTime: number | null
}

const toTotpSecret = (row: Selectable<TotpSecretTable>): TotpSecret => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  encryptedSecret: row.encrypted_secret,
  lastStep: row.last_step,
  createTime: row.create_time,
  lastUsedTime: row.last_used_time,
})

const selectOfUser = compileQuery((db, { userId }: { userId: number }) =>
  db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).orderBy('create_time').orderBy('id'),
)
const useStep = compileQuery((db, { id, step, now }: { id: string; step: number; now: number }) =>
  db
    .updateTable('totp_secrets')
    .set({ last_step: step, last_used_time: now })
    .where('id', '=', id)
    .where('last_step', '<', step)
    .returning('id'),
)

export const createTotpSecretRepository = (db: Kysely<Tables>) => ({
  /** Oldest first. */
  ofUser: async (userId: number): Promise<TotpSecret[]> => (await selectOfUser(db, { userId })).map(toTotpSecret),

  async add(secret: TotpSecret): Promise<void> {
    await db
      .insertInto('totp_secrets')
      .values({
        id: secret.id,
        user_id: secret.userId,
        name: secret.name,
        encrypted_secret: secret.encryptedSecret,
        last_step: secret.lastStep,
        create_time: secret.createTime,
        last_used_time: secret.lastUsedTime,
      })
      .execute()
  },

  /** Uses the code of a time step; resolves to false when that step or a later one was used. */
  useStep: async (id: string, step: number, now: number): Promise<boolean> =>
    (await useStep(db, { id, step, now })).length > 0,

  async rename(id: string, name: string): Promise<void> {
    await db.updateTable('totp_secrets').set({ name }).where('id', '=', id).execute()
  },

  async remove(id: string): Promise<void> {
    await db.deleteFrom('totp_secrets').where('id', '=', id).execute()
  },

  async removeOfUser(userId: number): Promise<void> {
    await db.deleteFrom('totp_secrets').where('user_id', '=', userId).execute()
  },
})
