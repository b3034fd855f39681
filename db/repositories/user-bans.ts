import { sql, type Kysely, type RawBuilder } from 'kysely'
import { contains } from '../contains.js'
import { fold } from '../fold.js'
import type { Page } from '../paging.js'
import type { Tables } from '../tables.js'
import type { ShownUser } from './user-rows.js'

/**
 * Until when a user may not sign in, epoch milliseconds; null where nobody has banned it, or the ban is over. With the condition below the only
 * place that says what a ban is.
 */
export const banEnd = ({ bannedUntil }: Pick<ShownUser, 'bannedUntil'>, now: number): number | null =>
  bannedUntil !== null && bannedUntil > now ? bannedUntil : null

const isBanned = (now: number): RawBuilder<boolean> => sql<boolean>`banned_until > ${now}`

/** A banned user, as a list shows it. */
export interface BannedUser {
  userId: number
  /** Epoch milliseconds. */
  expiry: number
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
  /** The users who are banned at the time `now`, by their ids, and how many match. */
  async page(
    { tenantId, keyword }: BanFilter,
    { offset, size }: Pick<Page, 'offset' | 'size'>,
    now: number,
  ): Promise<{ rows: BannedUser[]; total: number }> {
    let banned = db.selectFrom('users').innerJoin('tenants', 'tenants.id', 'users.tenant_id').where(isBanned(now))
    if (tenantId !== undefined) banned = banned.where('users.tenant_id', '=', tenantId)
    if (keyword !== undefined) banned = banned.where(namesContain(keyword))
    const { total } = await banned
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow()
    const rows =
      offset >= Number(total)
        ? []
        : await banned
            .select(['users.id', 'banned_until', 'username', 'real_name', 'tenant_name', 'last_login_time'])
            .orderBy('users.id')
            .limit(size)
            .offset(offset)
            .execute()
    const users = rows.map((row) => ({
      userId: row.id,
      expiry: row.banned_until ?? now,
      username: row.username,
      realName: row.real_name,
      tenantName: row.tenant_name,
      lastLoginTime: row.last_login_time,
    }))
    return { rows: users, total: Number(total) }
  },

  /** Forgets up to `limit` bans that are over at the time `now`; returns how many. Lists sort by what is stored. */
  async purge(now: number, limit: number): Promise<number> {
    const over = sql`select id from users where banned_until <= ${now} order by banned_until limit ${limit}`
    const { numAffectedRows } = await sql`
      update users set banned_until = null, ban_reason = null where id in (${over})`.execute(db)
    return Number(numAffectedRows)
  },
})
