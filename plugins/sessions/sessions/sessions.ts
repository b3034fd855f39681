import type { Database, Repositories } from '../../../db/index.js'
import type { Session, SessionOwner } from '../../../db/repositories/sessions.js'
import type { LoginResult } from '../../../schemas/login.js'
import { isProblem, problem } from '../../../lib/problem.js'
import type { Audit } from '../../record/audit/audit.js'
import { createApiTokens } from './api-tokens.js'
import { apiTokenOf, sessionToken } from './bearer.js'
import { createSessionTokens, settingsOf, type SessionToken, type SessionTokenCollaborators } from './session-tokens.js'
import { validateSession, type ValidatedSession } from './validate-session.js'
import { createOwnSessions } from './own-sessions.js'
import { createPageSessions } from './page-sessions.js'
import { createStart } from './start.js'
import { prepareUserInfo } from './user-info.js'

interface Collaborators extends SessionTokenCollaborators {
  audit: Pick<Audit, 'recordSessionEnds'>
  db: Database
  log: { warn(details: object, message: string): void }
}

/** Activity of a session is stored at most once in this time, so that most requests write nothing. Milliseconds. */
const maxTouchInterval = 60_000

/** How long a sign-in counts as fresh; long enough for a sign-in at an identity provider. Milliseconds. */
const freshTime = 600_000

/** Starts, validates, refreshes and ends sessions. `authorization` is the Authorization header of a request. */
export const createSessions = ({ audit, db, encryption, tokens, clock, clients, claims, log }: Collaborators) => {
  const sessionTokens = createSessionTokens({ encryption, tokens, clock, clients, claims })
  const idleTime = (session: Session) => settingsOf(clients, session.userClient).idleTtl * 1000

  const reportReuse = ({ session }: SessionOwner) => {
    const { id, userId, tenantId } = session
    log.warn({ session: id, userId, tenantId }, 'an old token was used again: the session is revoked')
    return problem('session_revoked')
  }

  /** Issues the stored token of the current generation again or, when it has expired, a new one for this generation. */
  const reissue = async ({ sessions }: Repositories, { session, grants }: SessionOwner): Promise<SessionToken> => {
    const issued = sessionTokens.readStoredToken(session)
    if (issued) return issued
    const renewed = sessionTokens.issue(session, session.generation, grants)
    await sessions.renewToken(session.id, sessionTokens.encrypt(renewed, session.id))
    return renewed
  }

  /** Issues the token of the next generation. The first refresh binds the session to the device of its device cookie. */
  const advance = async (
    { sessions }: Repositories,
    { session, grants }: SessionOwner,
    deviceOfCookie: string | undefined,
    now: number,
  ): Promise<SessionToken> => {
    const next = sessionTokens.issue(session, session.generation + 1, grants)
    const deviceId = session.generation === 1 ? (deviceOfCookie ?? null) : session.deviceId
    await sessions.advance(session, sessionTokens.encrypt(next, session.id), deviceId, now)
    return next
  }

  /** Throws `token_invalid` if the session is bound to a device and the request has no cookie of this device. */
  const checkDevice = ({ id, userId, tenantId, deviceId }: Session, deviceOfCookie: string | undefined): void => {
    if (deviceId === null || deviceId === deviceOfCookie) return
    log.warn({ session: id, userId, tenantId }, 'a refresh without the device cookie of its session is refused')
    throw problem('token_invalid')
  }

  const isTouchDue = (session: Session, now: number) =>
    now - session.lastActiveTime >= Math.min(maxTouchInterval, idleTime(session) / 20)
  const isFirstUse = ({ owner: { session }, tokenStatus }: ValidatedSession) =>
    tokenStatus === 'current' && session.generation > 1 && session.generationUsedTime === null

  const storeUse = async (validated: ValidatedSession, now: number): Promise<SessionOwner> => {
    const { owner, tokenStatus } = validated
    const { session } = owner
    if (tokenStatus === 'reused') {
      await db.sessions.end([session.id], 'token_reuse', now)
      throw reportReuse(owner)
    }
    if (isFirstUse(validated)) await db.sessions.markGenerationUsed(session.id, session.generation, now)
    if (isTouchDue(session, now)) await db.sessions.touch(session.id, now, now + idleTime(session))
    return owner
  }

  const authenticate = async (authorization: string | undefined): Promise<SessionOwner> => {
    const { claims, expired } = await tokens.verify(sessionToken(authorization))
    if (expired) throw problem('token_expired')
    const now = clock.now()
    return storeUse(validateSession(await db.sessions.find(claims.sid), claims, now), now)
  }

  const pages = createPageSessions({
    ...{ db, clock, clients, claims, encryption, tokens, sessionTokens, reissue, checkDevice, idleTime },
  })

  const apiTokens = createApiTokens(db, clock)

  return {
    apiTokens,
    start: createStart(db, clock, clients, sessionTokens, pages.make),
    own: createOwnSessions(db, clock, audit),

    /**
     * Whether the user of a session has signed in, or has proved to be the user again, recently. A thief of the token cannot
     * sign in again, and refreshing the token does not make the session fresh.
     */
    isFresh: ({ authTime }: Session): boolean => clock.now() <= authTime + freshTime,

    /** The session, user and tenant of the caller. Throws the 401 reasons of the catalogue, and `token_not_allowed` for an API token. */
    authenticate,

    /** The caller of an open route; undefined without a token, with a token that is not valid (any more), and with an API token. */
    async findCaller(authorization: string | undefined): Promise<SessionOwner | undefined> {
      if (apiTokenOf(authorization) !== undefined) return undefined
      try {
        return await authenticate(authorization)
      } catch (error) {
        if (isProblem(error) && error.statusCode === 401) return undefined
        throw error
      }
    },

    /**
     * Exchanges a token, even an expired one, for its successor (interface 4.1). Parallel exchanges of one token get the
     * same successor. `findDevice` resolves the device cookie of the request for a user. Throws the 401 reasons of the
     * catalogue.
     */
    async refresh(
      authorization: string | undefined,
      findDevice: (user: Pick<Session, 'userId' | 'tenantId'>) => string | undefined,
    ): Promise<LoginResult> {
      const { claims } = await tokens.verify(sessionToken(authorization))
      const outcome = await db.transaction(
        async (repositories) => {
          const now = clock.now()
          const { owner, tokenStatus } = validateSession(await repositories.sessions.find(claims.sid), claims, now)
          const { session } = owner
          if (tokenStatus === 'reused') {
            // An error thrown here would roll the transaction back; it is thrown after the commit.
            await repositories.sessions.end([session.id], 'token_reuse', now)
            return { reused: owner }
          }
          const device = findDevice(session)
          checkDevice(session, device)
          const idleExpiry = now + idleTime(session)
          const [issued] = await Promise.all([
            tokenStatus === 'current' ? advance(repositories, owner, device, now) : reissue(repositories, owner),
            repositories.sessions.touch(session.id, now, idleExpiry),
          ])
          return { result: sessionTokens.toResult(issued, owner) }
        },
        { session: claims.sid },
      )
      if (outcome.reused) throw reportReuse(outcome.reused)
      return outcome.result
    },

    /** The same by the page cookie. */
    pages,

    /**
     * Ends the session of a token, even of an expired one, and returns its id. Without a token, or with an invalid one, it does
     * nothing.
     */
    async logout(authorization: string | undefined): Promise<string | undefined> {
      try {
        const { claims } = await tokens.verify(sessionToken(authorization))
        await db.sessions.end([claims.sid], 'logout', clock.now())
        return claims.sid
      } catch (error) {
        if (!isProblem(error) || !['token_missing', 'token_invalid'].includes(error.code)) throw error
        return undefined
      }
    },

    userInfo: prepareUserInfo,
  }
}

export type Sessions = ReturnType<typeof createSessions>
