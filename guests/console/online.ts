import { pageNumbers, toPage } from '../../db/paging.js'
import type { BannedUser } from '../../db/repositories/user-bans.js'
import type { CompatBanQuery, CompatOnlinePage, CompatOnlineQuery } from './schemas/online.js'
import type { ManagedSession } from '../../schemas/managed-session.js'
import type { Needs } from '../../lib/needs.js'
import { invalidField, problem } from '../../lib/problem.js'
import { createReadOrder } from '../../lib/read-order.js'
import { visibleTenant } from '../../lib/visible-tenant.js'
import type { Manager } from '../../plugins/people/manage/policy.js'
import { namesRow } from './named-row.js'
import { rules } from './rules.js'
import { readUserAgent } from './user-agent.js'

type Row = CompatOnlinePage['records'][number]

/** Of a row that is no session: it ends nothing. */
const banHandle = (userId: number): string => `ban_${userId}`

/** The user of such a handle. */
const bannedIn = (handle: string): number | undefined => {
  const [, userId] = /^ban_(\d{1,15})$/.exec(handle) ?? []
  return userId === undefined ? undefined : Number(userId)
}

const status = { banned: 0, signedIn: 1 }

/** The columns by which the page sorts, by the names of its fields. */
const sessionColumnOf = { loginTime: 'loginTime', lastActivityTime: 'lastActiveTime' } as const
type Column = keyof typeof sessionColumnOf
const readOrder = createReadOrder(Object.keys(sessionColumnOf) as Column[], [])

/**
 * The page of signed-in users, after those who are banned: the front end lifts a ban by a button of their row, and a ban has ended
 * their sessions. `tokenValue` of the others is the id of a session, never a token.
 */
export const createOnline = ({
  clock,
  db,
  management,
  timeZone,
}: Needs<'clock' | 'db' | 'management' | 'timeZone'>) => {
  const toBanned = ({ userId, username, realName, tenantName, lastLoginTime, expiry }: BannedUser): Row => ({
    tokenValue: banHandle(userId),
    userId,
    username,
    realName,
    deptName: tenantName,
    ipAddress: '',
    loginLocation: '',
    ...readUserAgent(''),
    loginTime: lastLoginTime === null ? '' : timeZone.toLocal(lastLoginTime),
    lastActivityTime: '',
    expireTime: timeZone.toLocal(expiry),
    status: status.banned,
    banned: true,
  })

  const toRow = (session: ManagedSession): Row => ({
    tokenValue: session.id,
    userId: session.userId,
    username: session.username,
    realName: session.realName,
    deptName: session.tenantName,
    ipAddress: session.loginIp,
    loginLocation: '',
    ...readUserAgent(session.userAgent),
    loginTime: timeZone.toLocal(session.loginTime),
    lastActivityTime: timeZone.toLocal(session.lastActiveTime),
    expireTime: timeZone.toLocal(session.expireTime),
    status: status.signedIn,
    banned: false,
  })

  return {
    async page(
      actor: Manager,
      { username: keyword, pageNum, pageSize, ...sort }: CompatOnlineQuery,
      closed: () => AbortSignal,
    ): Promise<CompatOnlinePage> {
      const [order] = readOrder(sort)
      const sorted = order && { orderByColumn: sessionColumnOf[order.column], isAsc: order.direction }
      const wanted = toPage({ pageNum, pageSize })
      const { offset, size } = wanted
      const bans = await db.userBans.page({ tenantId: visibleTenant(actor.caller), keyword }, wanted, clock.now())
      const after = { ...wanted, offset: Math.max(0, offset - bans.total) }
      const sessions = await management.sessions.page(actor, { keyword, ...sorted }, closed, after)
      const records = [...bans.rows.map(toBanned), ...sessions.records.map(toRow)].slice(0, size)
      return { records, ...pageNumbers(bans.total + sessions.total, wanted) }
    },

    /** A ban has ended the sessions of a user: there is nothing to end, and the row says why. */
    kickOut: (actor: Manager, handle: string): Promise<void> =>
      namesRow(async () => {
        const userId = bannedIn(handle)
        if (userId === undefined) return management.sessions.end(actor, handle)
        if ((await management.get(actor, userId)).bannedUntil === null) throw problem('not_found')
        throw problem('not_found', { faults: [{ field: 'tokenValue', rule: rules.bannedUser }] })
      }, 'tokenValue'),

    async ban(actor: Manager, { userId, banSeconds, reason }: CompatBanQuery): Promise<void> {
      if (banSeconds === 0) throw invalidField('banSeconds', 'minimum', { limit: 1 })
      const seconds = banSeconds < 0 ? undefined : banSeconds
      await namesRow(() => management.bans.ban(actor, userId, seconds, reason ?? null), 'userId')
    },

    unban: (actor: Manager, userId: number): Promise<void> =>
      namesRow(() => management.bans.unban(actor, userId), 'userId'),
  }
}
