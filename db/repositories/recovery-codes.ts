import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'

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

    /** Whether a user has a code, used or not. */
    async has(userId: number, hash: string): Promise<boolean> {
      const row = await db
        .selectFrom('recovery_codes')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .executeTakeFirst()
      return row !== undefined
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
