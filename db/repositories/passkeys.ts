import type { Kysely, Selectable } from 'kysely'
import type { Keeps } from '../keeps.js'
import { compileQuery } from '../query.js'
import type { Flag, PasskeyTable, Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  passkeys: { key: ['id'], ofUser: 'user_id' },
} satisfies Keeps

/** A WebAuthn credential. */
export interface Passkey {
  id: string
  userId: number
  /** 1 to 64 visible characters. */
  name: string
  /** base64url. */
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  signCount: number
  backupEligible: boolean
  backedUp: boolean
  /** Whether the user was verified when it was registered: otherwise it is a second factor only. */
  userVerified: boolean
  /** Whether it can be found without a name; null: the authenticator did not say. */
  discoverable: boolean | null
  transports: string[]
  aaguid: string
  rpId: string
  /** Epoch milliseconds, like all times here. */
  createTime: number
  lastUsedTime: number | null
}

const toFlag = (value: boolean): Flag => (value ? 1 : 0)

const toPasskey = (row: Selectable<PasskeyTable>): Passkey => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  signCount: row.sign_count,
  backupEligible: row.backup_eligible === 1,
  backedUp: row.backed_up === 1,
  userVerified: row.user_verified === 1,
  discoverable: row.discoverable === null ? null : row.discoverable === 1,
  transports: row.transports === '' ? [] : row.transports.split(' '),
  aaguid: row.aaguid,
  rpId: row.rp_id,
  createTime: row.create_time,
  lastUsedTime: row.last_used_time,
})

const selectOfUser = compileQuery((db, { userId }: { userId: number }) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('create_time').orderBy('id'),
)
const selectByCredential = compileQuery((db, { credentialId }: { credentialId: string }) =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId),
)

export const createPasskeyRepository = (db: Kysely<Tables>) => ({
  /** Oldest first. */
  ofUser: async (userId: number): Promise<Passkey[]> => (await selectOfUser(db, { userId })).map(toPasskey),

  async find(credentialId: string): Promise<Passkey | undefined> {
    const [row] = await selectByCredential(db, { credentialId })
    return row && toPasskey(row)
  },

  /** False when somebody has a passkey of this credential id. */
  async add(passkey: Passkey): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('passkeys')
      .values({
        id: passkey.id,
        user_id: passkey.userId,
        name: passkey.name,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        sign_count: passkey.signCount,
        backup_eligible: toFlag(passkey.backupEligible),
        backed_up: toFlag(passkey.backedUp),
        user_verified: toFlag(passkey.userVerified),
        discoverable: passkey.discoverable === null ? null : toFlag(passkey.discoverable),
        transports: passkey.transports.join(' '),
        aaguid: passkey.aaguid,
        rp_id: passkey.rpId,
        create_time: passkey.createTime,
        last_used_time: passkey.lastUsedTime,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows > 0n
  },

  /** False when the passkey is gone, or its counter is to grow (`isCounted`) and does not. */
  async markUsed(
    id: string,
    { signCount, backedUp, isCounted }: Pick<Passkey, 'signCount' | 'backedUp'> & { isCounted: boolean },
    now: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('passkeys')
      .set({ sign_count: signCount, backed_up: toFlag(backedUp), last_used_time: now })
      .where('id', '=', id)
      .$if(isCounted, (query) => query.where('sign_count', '<', signCount))
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  async rename(id: string, name: string): Promise<void> {
    await db.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
  },

  async remove(id: string): Promise<void> {
    await db.deleteFrom('passkeys').where('id', '=', id).execute()
  },

  async removeOfUser(userId: number): Promise<void> {
    await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  },

  /** How many passkeys were registered under another `rpId`. */
  async countOfOthers(rpId: string): Promise<number> {
    const { count } = await db
      .selectFrom('passkeys')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('rp_id', '!=', rpId)
      .executeTakeFirstOrThrow()
    return Number(count)
  },
})
