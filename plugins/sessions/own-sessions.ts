import type { SessionRepository, Session, SessionOwner } from '../../db/repositories/sessions.js'
import type { SessionRecord } from '../../schemas/session.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'

const toRecord = (session: Session, current: Session): SessionRecord => ({
  id: session.id,
  userClient: session.userClient,
  loginIp: session.loginIp,
  userAgent: session.userAgent,
  loginTime: session.createTime,
  lastActiveTime: session.lastActiveTime,
  expireTime: Math.min(session.expiry, session.idleExpiry),
  current: session.id === current.id,
})

/** Users list and end their own sessions. */
export const createOwnSessions = (sessions: SessionRepository, clock: Clock) => ({
  /** The live sessions of the caller, latest sign-in first. */
  list: async ({ session, user }: SessionOwner): Promise<SessionRecord[]> =>
    (await sessions.live(user.id, clock.now())).map((live) => toRecord(live, session)),

  /** Throws `not_found` if `id` is not a live session of the caller. */
  async end({ user }: SessionOwner, id: string): Promise<void> {
    const live = await sessions.live(user.id, clock.now())
    if (!live.some((session) => session.id === id)) throw problem('not_found')
    await sessions.end([id], 'revoked', clock.now())
  },

  endOthers: ({ session, user }: SessionOwner): Promise<void> =>
    sessions.endOfUser(user.id, 'revoked', clock.now(), session.id),
})
