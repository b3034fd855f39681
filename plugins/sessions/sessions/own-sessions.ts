import type { Database } from '../../../db/index.js'
import type { Session, SessionOwner } from '../../../db/repositories/sessions.js'
import type { SessionRecord } from '../../../schemas/session.js'
import type { Actor } from '../../../lib/actor.js'
import { callerOf } from '../../../lib/caller-of.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'
import type { Audit } from '../../record/audit/audit.js'

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
export const createOwnSessions = (db: Database, clock: Clock, audit: Pick<Audit, 'recordSessionEnds'>) => ({
  /** The live sessions of the caller, latest sign-in first. */
  list: async ({ session, user }: SessionOwner): Promise<SessionRecord[]> =>
    (await db.sessions.live(user.id, clock.now())).map((live) => toRecord(live, session)),

  /** Throws `not_found` if `id` is not a live session of the caller. */
  async end(actor: Actor<SessionOwner>, id: string): Promise<void> {
    const { user } = callerOf(actor)
    await db.transaction(
      async (inside) => {
        const live = await inside.sessions.live(user.id, clock.now())
        if (!live.some((session) => session.id === id)) throw problem('not_found')
        await inside.sessions.end([id], 'revoked', clock.now())
        await audit.recordSessionEnds(inside, actor, user, [id])
      },
      { user: user.id },
    )
  },

  async endOthers(actor: Actor<SessionOwner>): Promise<void> {
    const { session, user } = callerOf(actor)
    await db.transaction(
      async (inside) => {
        const others = (await inside.sessions.live(user.id, clock.now())).filter(({ id }) => id !== session.id)
        const ids = others.map(({ id }) => id)
        await inside.sessions.end(ids, 'revoked', clock.now())
        // Otherwise those who were signed out would need no second step.
        await inside.trustedDevices.removeOfUser(user.id)
        await audit.recordSessionEnds(inside, actor, user, ids)
      },
      { user: user.id },
    )
  },
})
