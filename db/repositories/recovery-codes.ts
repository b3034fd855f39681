import type { Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import type { Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  recovery_codes: { key: ['user_id', 'code_hash'], ofUser: 'user_id' },
} satisfies Keeps

/** Codes for those who have lost their factors. Only hashes are stored. */
export const createRecoveryCodeRepository = (db: Kysely<Tables>) => {
  const removeOfUser = async (userId: number): Promise<void> => {
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  }

  return {
    removeOfUser,

    /** Voids the codes of a user and stores the hashes of new ones. */
    async replace(userId: number, hashes: string[]): Promise<void> {
      await removeOfUser(userId)
      await db
        .insertInto('recovery_codes')
        .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, used_time: null })))
        .execute()
    },

    /** Uses a code up; resolves to false for one that is unknown or used. */
    async use(userId: number, hash: string, now: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('recovery_codes')
        .set({ used_time: now })
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .where('used_time', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async stateOf(userId: number, hash: string): Promise<'unknown' | 'unused' | 'used'> {
      const row = await db
        .selectFrom('recovery_codes')
        .select('used_time')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .executeTakeFirst()
      if (!row) return 'unknown'
      return row.used_time === null ? 'unused' : 'used'
    },

    /** How many codes of a user are not used. */
    async left(userId: number): Promise<number> {
      const { count } = await db
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('used_time', 'is', null)
        .executeTakeFirstOrThrow()
      return count
    },
  }
}
