import type { Database, Repositories } from '../../db/index.js'
import type { Session, SessionOwner } from '../../db/repositories/sessions.js'
import type { LoginResult, UserClient } from '../../schemas/login.js'
import { andThen, type MaybePromise } from '../../schemas/maybe-promise.js'
import type { UserInfo } from '../../schemas/user.js'
import { isProblem, problem } from '../../lib/problem.js'
import { bearerToken } from './bearer.js'
import { createFind } from './find.js'
import { createIsFresh } from './fresh.js'
import { createIssuing, type Issued, type IssuingCollaborators } from './issuing.js'
import { judge, type Judged } from './judge.js'
import { createOwnSessions } from './own-sessions.js'
import { createStart } from './start.js'
import { toUserInfo } from './user-info.js'

interface Collaborators extends IssuingCollaborators {
  db: Database
  log: { warn(details: object, message: string): void }
}

/** Activity is written down at most this often, milliseconds: a request should not cost a write. */
const longestTouchPause = 60_000

/** Sessions from their start to their end. Methods that take a header take the Authorization header of a request. */
export const createSessions = ({ db, tokens, clock, clients, log }: Collaborators) => {
  const issuing = createIssuing({ tokens, clock, clients })
  const idleTime = (session: Session) => clients[session.userClient as UserClient].idleTtl * 1000

  const reportReuse = ({ session }: SessionOwner) => {
    const { id, userId, tenantId } = session
    log.warn({ session: id, userId, tenantId }, 'an old token was used again: the session is revoked')
    return problem('session_revoked')
  }

  /** The token of the current generation once more, or, when its life is over, a new one for the same generation. */
  const repeat = async ({ sessions }: Repositories, session: Session): Promise<Issued> => {
    const issued = issuing.recall(session)
    if (issued) return issued
    const renewed = issuing.issue(session, session.generation)
    await sessions.renewToken(session.id, issuing.seal(renewed, session.id))
    return renewed
  }

  /** Issues the next generation. The first refresh binds the session to the device whose cookie it brings. */
  const advance = async (
    { sessions }: Repositories,
    session: Session,
    brought: string | undefined,
    now: number,
  ): Promise<Issued> => {
    const next = issuing.issue(session, session.generation + 1)
    const deviceId = session.generation === 1 ? (brought ?? null) : session.deviceId
    await sessions.advance(session, issuing.seal(next, session.id), deviceId, now)
    return next
  }

  /** Throws `token_invalid` for a session that is bound to another device than the one whose cookie came along. */
  const checkDevice = ({ id, userId, tenantId, deviceId }: Session, brought: string | undefined): void => {
    if (deviceId === null || deviceId === brought) return
    log.warn({ session: id, userId, tenantId }, 'a refresh without the cookie of its device is refused')
    throw problem('token_invalid')
  }

  const isTouchDue = (session: Session, now: number) =>
    now - session.lastActiveTime >= Math.min(longestTouchPause, idleTime(session) / 20)
  const isFirstUse = ({ owner: { session }, standing }: Judged) =>
    standing === 'current' && session.generation > 1 && session.generationUsedTime === null

  const writeDown = async (judged: Judged, now: number): Promise<SessionOwner> => {
    const { owner, standing } = judged
    const { session } = owner
    if (standing === 'reused') {
      await db.sessions.end([session.id], 'token_reuse', now)
      throw reportReuse(owner)
    }
    if (isFirstUse(judged)) await db.sessions.markGenerationUsed(session.id, session.generation, now)
    if (isTouchDue(session, now)) await db.sessions.touch(session.id, now, now + idleTime(session))
    return owner
  }

  const admit = (judged: Judged, now: number): MaybePromise<SessionOwner> => {
    const { owner, standing } = judged
    const isToBeWritten = standing === 'reused' || isFirstUse(judged) || isTouchDue(owner.session, now)
    return isToBeWritten ? writeDown(judged, now) : owner
  }

  const authenticate = (authorization: string | undefined): MaybePromise<SessionOwner> =>
    andThen(tokens.verify(bearerToken(authorization)), ({ claims, expired }) => {
      if (expired) throw problem('token_expired')
      const now = clock.now()
      return andThen(db.sessions.find(claims.sid), (found) => admit(judge(found, claims, now), now))
    })

  return {
    start: createStart(db, clock, clients, issuing),
    own: createOwnSessions(db.sessions, clock),
    isFresh: createIsFresh(clock),

    /** Who calls. Throws the 401 reasons of the catalogue. */
    authenticate,

    find: createFind(authenticate),

    /**
     * Exchanges the current token, also an expired one, for the next (interface 4.1). Parallel exchanges of one token
     * all get the same successor. `findDevice` tells the device of the user whose cookie came along.
     * Throws the 401 reasons of the catalogue.
     */
    async refresh(
      authorization: string | undefined,
      findDevice: (user: Pick<Session, 'userId' | 'tenantId'>) => string | undefined,
    ): Promise<LoginResult> {
      const { claims } = await tokens.verify(bearerToken(authorization))
      const outcome = await db.transaction(async (repositories) => {
        const now = clock.now()
        const { owner, standing } = judge(await repositories.sessions.find(claims.sid), claims, now)
        const { session } = owner
        if (standing === 'reused') {
          // Not thrown in here: that would undo the ending.
          await repositories.sessions.end([session.id], 'token_reuse', now)
          return { reused: owner }
        }
        const device = findDevice(session)
        checkDevice(session, device)
        const issued = await (standing === 'current'
          ? advance(repositories, session, device, now)
          : repeat(repositories, session))
        await repositories.sessions.touch(session.id, now, now + idleTime(session))
        return { result: issuing.toResult(issued, owner) }
      })
      if (outcome.reused) throw reportReuse(outcome.reused)
      return outcome.result
    },

    /** Ends the session of a token, also of an expired one. Anything else sent is no session: nothing to end. */
    async logout(authorization: string | undefined): Promise<void> {
      try {
        const { claims } = await tokens.verify(bearerToken(authorization))
        await db.sessions.end([claims.sid], 'logout', clock.now())
      } catch (error) {
        if (!isProblem(error) || !['token_missing', 'token_invalid'].includes(error.code)) throw error
      }
    },

    userInfo: (owner: SessionOwner): UserInfo => toUserInfo(owner),

    permissions: ({ grants }: SessionOwner): string[] => grants.permissions,
  }
}

export type Sessions = ReturnType<typeof createSessions>
