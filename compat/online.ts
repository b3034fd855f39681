import type { Database } from '../db/index.js'
import type { CompatBanQuery, CompatOnlinePage, CompatOnlineQuery } from './schemas/online.js'
import type { Clock } from '../lib/clock.js'
import { invalidField, isProblem, problem } from '../lib/problem.js'
import type { TimeZone } from '../lib/time-zone.js'
import type { Management } from '../plugins/people/manage/management.js'
import type { Manager } from '../plugins/people/manage/policy.js'
import { namesUser } from './named-user.js'
import { readUserAgent } from './user-agent.js'

interface Collaborators {
  db: Pick<Database, 'userBans'>
  management: Pick<Management, 'bans' | 'sessions'>
  clock: Clock
  timeZone: Pick<TimeZone, 'toText'>
}

/** The page of signed-in users. Its `tokenValue` is the id of a session, never a token. */
export const createOnline = ({ db, management, clock, timeZone }: Collaborators) => ({
  async page(actor: Manager, query: CompatOnlineQuery, closed: () => AbortSignal): Promise<CompatOnlinePage> {
    const { records, ...numbers } = await management.sessions.page(actor, query, closed)
    const userIds = records.map(({ userId }) => userId)
    const banned = await db.userBans.bannedAmong(userIds, clock.now())
    const rows = records.map((session) => ({
      tokenValue: session.id,
      userId: session.userId,
      username: session.username,
      realName: session.realName,
      deptName: session.tenantName,
      ipAddress: session.loginIp,
      loginLocation: '',
      ...readUserAgent(session.userAgent),
      loginTime: timeZone.toText(session.loginTime),
      lastActivityTime: timeZone.toText(session.lastActiveTime),
      expireTime: timeZone.toText(session.expireTime),
      status: 1,
      banned: banned.has(session.userId),
    }))
    return { records: rows, ...numbers }
  },

  async kickOut(actor: Manager, sessionId: string): Promise<void> {
    try {
      await management.sessions.end(actor, sessionId)
    } catch (error) {
      if (!isProblem(error) || error.code !== 'not_found') throw error
      throw problem('not_found', { faults: [{ field: 'tokenValue', rule: 'unknown_session' }] })
    }
  },

  async ban(actor: Manager, { userId, banSeconds, reason }: CompatBanQuery): Promise<void> {
    if (banSeconds === 0) throw invalidField('banSeconds', 'minimum', { limit: 1 })
    const seconds = banSeconds < 0 ? undefined : banSeconds
    await namesUser(() => management.bans.ban(actor, userId, seconds, reason ?? null), 'userId')
  },

  unban: (actor: Manager, userId: number): Promise<void> =>
    namesUser(() => management.bans.unban(actor, userId), 'userId'),
})
