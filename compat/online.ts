import type { Database } from '../db/index.js'
import { pageNumbers, toPage } from '../db/paging.js'
import type { BannedUser } from '../db/repositories/user-bans.js'
import type { CompatBanQuery, CompatOnlinePage, CompatOnlineQuery } from './schemas/online.js'
import type { ManagedSession } from '../schemas/managed-session.js'
import type { Clock } from '../lib/clock.js'
import { invalidField } from '../lib/problem.js'
import type { TimeZone } from '../lib/time-zone.js'
import { visibleTenant } from '../lib/visible-tenant.js'
import type { Management } from '../plugins/people/manage/management.js'
import type { Manager } from '../plugins/people/manage/policy.js'
import { namesRow } from './named-row.js'
import { readUserAgent } from './user-agent.js'

interface Collaborators {
  db: Pick<Database, 'userBans'>
  management: Pick<Management, 'bans' | 'sessions'>
  clock: Clock
  timeZone: Pick<TimeZone, 'toLocal'>
}

type Row = CompatOnlinePage['records'][number]

/** Of a row that is no session: it ends nothing. */
const banHandle = (userId: number): string => `ban_${userId}`

const status = { banned: 0, signedIn: 1 }

/**
 * The page of signed-in users, after those who are banned: the front end lifts a ban by a button of their row, and a ban has ended
 * their sessions. `tokenValue` of the others is the id of a session, never a token.
 */
export const createOnline = ({ db, management, clock, timeZone }: Collaborators) => {
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
      { username: keyword, ...query }: CompatOnlineQuery,
      closed: () => AbortSignal,
    ): Promise<CompatOnlinePage> {
      const wanted = toPage(query)
      const { offset, size } = wanted
      const bans = await db.userBans.page({ tenantId: visibleTenant(actor.caller), keyword }, wanted, clock.now())
      const after = { ...wanted, offset: Math.max(0, offset - bans.total) }
      const sessions = await management.sessions.page(actor, { keyword }, closed, after)
      const records = [...bans.rows.map(toBanned), ...sessions.records.map(toRow)].slice(0, size)
      return { records, ...pageNumbers(bans.total + sessions.total, wanted) }
    },

    kickOut: (actor: Manager, sessionId: string): Promise<void> =>
      namesRow(() => management.sessions.end(actor, sessionId), 'tokenValue'),

    async ban(actor: Manager, { userId, banSeconds, reason }: CompatBanQuery): Promise<void> {
      if (banSeconds === 0) throw invalidField('banSeconds', 'minimum', { limit: 1 })
      const seconds = banSeconds < 0 ? undefined : banSeconds
      await namesRow(() => management.bans.ban(actor, userId, seconds, reason ?? null), 'userId')
    },

    unban: (actor: Manager, userId: number): Promise<void> =>
      namesRow(() => management.bans.unban(actor, userId), 'userId'),
  }
}
