import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'

/** The places of texts that are encrypted with the master secret; `store` has those of some keys only. */
export type EncryptedPlace = 'signing key' | 'session' | 'store' | 'totp'

/** Encrypts a text anew. `id` is that of its row. */
export type Reencrypt = (place: EncryptedPlace, id: string, text: string) => string

const pageSize = 500
/** The keys of the store whose values are encrypted: authorization requests of federated sign-ins. */
const keysOfEncrypted = 'federation:state:%'

export type EncryptedTextRepository = ReturnType<typeof createEncryptedTextRepository>

/** Everything in the database that is encrypted with the master secret. */
export const createEncryptedTextRepository = (db: Kysely<Tables>) => {
  const signingKeys = async (reencrypt: Reencrypt): Promise<number> => {
    const rows = await db.selectFrom('signing_keys').select(['kid', 'sealed_private_jwk']).execute()
    for (const { kid, sealed_private_jwk: text } of rows) {
      const encrypted = reencrypt('signing key', kid, text)
      await db.updateTable('signing_keys').set({ sealed_private_jwk: encrypted }).where('kid', '=', kid).execute()
    }
    return rows.length
  }

  const sessions = async (reencrypt: Reencrypt): Promise<number> => {
    let count = 0
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: { id: string; sealed_token: string | null }[] = await db
        .selectFrom('sessions')
        .select(['id', 'sealed_token'])
        .where('id', '>', after)
        .where('sealed_token', 'is not', null)
        .orderBy('id')
        .limit(pageSize)
        .execute()
      for (const { id, sealed_token: text } of rows) {
        const encrypted = text === null ? null : reencrypt('session', id, text)
        await db.updateTable('sessions').set({ sealed_token: encrypted }).where('id', '=', id).execute()
      }
      count += rows.length
      after = rows.length < pageSize ? undefined : rows.at(-1)?.id
    }
    return count
  }

  const totpSecrets = async (reencrypt: Reencrypt): Promise<number> => {
    let count = 0
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: { id: string; encrypted_secret: string }[] = await db
        .selectFrom('totp_secrets')
        .select(['id', 'encrypted_secret'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .execute()
      for (const { id, encrypted_secret: text } of rows) {
        const encrypted = reencrypt('totp', id, text)
        await db.updateTable('totp_secrets').set({ encrypted_secret: encrypted }).where('id', '=', id).execute()
      }
      count += rows.length
      after = rows.length < pageSize ? undefined : rows.at(-1)?.id
    }
    return count
  }

  const store = async (reencrypt: Reencrypt): Promise<number> => {
    const rows = await db.selectFrom('store').select(['key', 'value']).where('key', 'like', keysOfEncrypted).execute()
    for (const { key, value } of rows) {
      await db
        .updateTable('store')
        .set({ value: reencrypt('store', key, value) })
        .where('key', '=', key)
        .execute()
    }
    return rows.length
  }

  return {
    /** Replaces every encrypted text; returns how many there were. To be called in a transaction. */
    reencryptAll: async (reencrypt: Reencrypt): Promise<number> =>
      (await signingKeys(reencrypt)) +
      (await sessions(reencrypt)) +
      (await totpSecrets(reencrypt)) +
      (await store(reencrypt)),
  }
}
