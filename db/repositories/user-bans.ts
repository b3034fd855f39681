import { sql, type Kysely, type RawBuilder } from 'kysely'
import { contains } from '../contains.js'
import { fold } from '../fold.js'
import type { Page } from '../paging.js'
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

/** A banned user, as a list shows it. */
export interface BannedUser extends UserBan {
  username: string
  realName: string
  tenantName: string
  lastLoginTime: number | null
}

export interface BanFilter {
  tenantId?: number | undefined
  /** Contained in the user name or the real name, case-insensitive. */
  keyword?: string | undefined
}

const namesContain = (text: string): RawBuilder<boolean> => {
  const key = fold(text)
  return sql<boolean>`(${contains('users.username_key', key)} or ${contains('users.real_name_key', key)})`
}

export const createUserBanRepository = (db: Kysely<Tables>) => ({
  /** The ban of a user that has not expired at the time `now`. */
  async find(userId: number, now: number): Promise<UserBan | undefined> {
    const [row] = await selectBan(db, { userId, now })
    return row && { userId: row.user_id, expiry: row.expiry, reason: row.reason }
  },

  /** The users who are banned at the time `now`, by their ids, and how many match. */
  async page(
    { tenantId, keyword }: BanFilter,
    { offset, size }: Pick<Page, 'offset' | 'size'>,
    now: number,
  ): Promise<{ rows: BannedUser[]; total: number }> {
    let banned = db
      .selectFrom('user_bans')
      .innerJoin('users', 'users.id', 'user_bans.user_id')
      .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
      .where('expiry', '>', now)
    if (tenantId !== undefined) banned = banned.where('users.tenant_id', '=', tenantId)
    if (keyword !== undefined) banned = banned.where(namesContain(keyword))
    const { total } = await banned
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow()
    const rows =
      offset >= Number(total)
        ? []
        : await banned
            .select(['user_id', 'expiry', 'reason', 'username', 'real_name', 'tenant_name', 'last_login_time'])
            .orderBy('user_id')
            .limit(size)
            .offset(offset)
            .execute()
    const users = rows.map((row) => ({
      userId: row.user_id,
      expiry: row.expiry,
      reason: row.reason,
      username: row.username,
      realName: row.real_name,
      tenantName: row.tenant_name,
      lastLoginTime: row.last_login_time,
    }))
    return { rows: users, total: Number(total) }
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
