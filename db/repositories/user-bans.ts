import type { Kysely } from 'kysely'
import { compileQuery } from '../query.js'
import type { Tables } from '../tables.js'

const selectBan = compileQuery((db, { userId, now }: { userId: number; now: number }) =>
  db.selectFrom('user_bans').selectAll().where('user_id', '=', userId).where('expiry', '>', now),
)

/** A user may not sign in before `expiry`, epoch milliseconds. */
export interface UserBan {
  userId: number
  expiry: number
  reason: string | null
}

export type UserBanRepository = ReturnType<typeof createUserBanRepository>

export const createUserBanRepository = (db: Kysely<Tables>) => ({
  /** The ban of a user that has not expired at the time `now`. */
  async find(userId: number, now: number): Promise<UserBan | undefined> {
    const [row] = await selectBan(db, { userId, now })
    return row && { userId: row.user_id, expiry: row.expiry, reason: row.reason }
  },

  /** Which of these users are banned at the time `now`. */
  async bannedAmong(userIds: number[], now: number): Promise<Set<number>> {
    if (userIds.length === 0) return new Set()
    const rows = await db
      .selectFrom('user_bans')
      .select('user_id')
      .where('user_id', 'in', userIds)
      .where('expiry', '>', now)
      .execute()
    return new Set(rows.map((row) => row.user_id))
  },

  /** Replaces an earlier ban. */
  async set({ userId, expiry, reason }: UserBan): Promise<void> {
    await db
      .insertInto('user_bans')
      .values({ user_id: userId, expiry, reason })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ expiry, reason }))
      .execute()
  },

  async remove(userId: number): Promise<void> {
    await db.deleteFrom('user_bans').where('user_id', '=', userId).execute()
  },
})
