import type { Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import type { Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  signing_keys: {
    key: ['kid'],
    encrypted: { column: 'sealed_private_jwk', purposeOf: (kid) => `signing key ${kid}` },
  },
} satisfies Keeps

/** Access tokens are signed by ES256; ID tokens of an application by either (RFC 7518 3.1). */
export type SigningAlgorithm = 'ES256' | 'RS256'

export interface StoredSigningKey {
  kid: string
  algorithm: SigningAlgorithm
  publicJwk: string
  encryptedPrivateJwk: string
  createTime: number
  activeTime: number
}

export type SigningKeyRepository = ReturnType<typeof createSigningKeyRepository>

export const createSigningKeyRepository = (db: Kysely<Tables>) => ({
  /** All keys, the latest active one first. */
  async list(): Promise<StoredSigningKey[]> {
    const rows = await db.selectFrom('signing_keys').selectAll().orderBy('active_time', 'desc').execute()
    return rows.map((row) => ({
      kid: row.kid,
      algorithm: row.algorithm as SigningAlgorithm,
      publicJwk: row.public_jwk,
      encryptedPrivateJwk: row.sealed_private_jwk,
      createTime: row.create_time,
      activeTime: row.active_time,
    }))
  },

  /** Lets a published key sign from `time` on. */
  async activate(kid: string, time: number): Promise<void> {
    await db.updateTable('signing_keys').set({ active_time: time }).where('kid', '=', kid).execute()
  },

  async remove(kids: string[]): Promise<void> {
    await db.deleteFrom('signing_keys').where('kid', 'in', kids).execute()
  },

  async add(key: StoredSigningKey): Promise<void> {
    await db
      .insertInto('signing_keys')
      .values({
        kid: key.kid,
        algorithm: key.algorithm,
        public_jwk: key.publicJwk,
        sealed_private_jwk: key.encryptedPrivateJwk,
        create_time: key.createTime,
        active_time: key.activeTime,
      })
      .execute()
  },
})
