import { hash, timingSafeEqual } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { Database, Repositories } from '../../../db/index.js'
import type { Session, SessionOwner } from '../../../db/repositories/sessions.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { isProblem, problem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { LoginResult } from '../../../schemas/login.js'
import { settingsOf, type SessionToken, type SessionTokenCollaborators, type SessionTokens } from './session-tokens.js'
import { checkSession } from './validate-session.js'

const purpose = 'page session'

const Content = Type.Object({ id: Type.String(), secret: Type.String() })
const readContent = jsonReader(Content)
type Content = Static<typeof Content>

interface Collaborators extends SessionTokenCollaborators {
  db: Database
  sessionTokens: SessionTokens
  reissue: (repositories: Repositories, owner: SessionOwner) => Promise<SessionToken>
  checkDevice: (session: Session, deviceOfCookie: string | undefined) => void
  idleTime: (session: Session) => number
}

/** What a reply sets for a page: the value of its cookie, and for how many seconds. */
export interface PageCookie {
  value: string
  maxAge: number
}

const digest = (secret: string): string => hash('sha256', secret, 'base64url')

const isSecret = (secret: string, stored: string | null): boolean =>
  stored !== null && timingSafeEqual(Buffer.from(digest(secret)), Buffer.from(stored))

/**
 * The page cookie of a session, by which a page of the same origin gets the token of its session again after a reload. The database has
 * only the hash of its secret, so that somebody who reads a copy of the database and the master secret cannot make one.
 */
export const createPageSessions = (collaborators: Collaborators) => {
  const { db, clock, clients, encryption, sessionTokens, reissue, checkDevice, idleTime } = collaborators

  const read = (cookie: string): Content | undefined => readContent(encryption.tryDecrypt(cookie, purpose) ?? '')

  /** The session of a cookie. Throws `token_invalid`, `session_replaced`, `session_revoked`, `session_expired`. */
  const find = async ({ sessions }: Pick<Repositories, 'sessions'>, { id, secret }: Content) => {
    const [found, stored] = await Promise.all([sessions.find(id), sessions.pageSecretHashOf(id)])
    return checkSession(found, clock.now(), () => isSecret(secret, stored))
  }

  /** Ends the session of a cookie; one that is not valid ends nothing. */
  const logout = async (cookie: string): Promise<void> => {
    const content = read(cookie)
    if (!content || !isSecret(content.secret, await db.sessions.pageSecretHashOf(content.id))) return
    await db.sessions.end([content.id], 'logout', clock.now())
  }

  return {
    /** The page cookie of a session that starts, and the hash that is stored with the session. */
    make: ({ id, userClient }: Pick<Session, 'id' | 'userClient'>): { secretHash: string; cookie: PageCookie } => {
      const secret = randomId()
      const value = encryption.encrypt(JSON.stringify({ id, secret } satisfies Content), purpose)
      return { secretHash: digest(secret), cookie: { value, maxAge: settingsOf(clients, userClient).maxTtl } }
    },

    /**
     * The token of the current generation again. Never starts the next generation: a reload in one tab would make the tokens of the
     * other tabs old ones, whose use looks like theft. Throws the 401 reasons of the catalogue.
     */
    async refresh(
      cookie: string,
      findDevice: (user: Pick<Session, 'userId' | 'tenantId'>) => string | undefined,
    ): Promise<LoginResult> {
      const content = read(cookie)
      if (!content) throw problem('token_invalid')
      return db.transaction(
        async (repositories) => {
          const owner = await find(repositories, content)
          const { session } = owner
          checkDevice(session, findDevice(session))
          const issued = await reissue(repositories, owner)
          const now = clock.now()
          await repositories.sessions.touch(session.id, now, now + idleTime(session))
          return sessionTokens.toResult(issued, owner)
        },
        { session: content.id },
      )
    },

    /** The live owner of the session of a cookie, without counting as a use; undefined where the session is over or of another device. */
    async find(
      cookie: string,
      findDevice: (user: Pick<Session, 'userId' | 'tenantId'>) => string | undefined,
    ): Promise<SessionOwner | undefined> {
      const content = read(cookie)
      if (!content) return undefined
      try {
        const owner = await find(db, content)
        checkDevice(owner.session, findDevice(owner.session))
        return owner
      } catch (error) {
        if (isProblem(error)) return undefined
        throw error
      }
    },

    logout,

    /**
     * Ends the session of a cookie in whose place the browser gets the cookie of `userId`. A session of the same user goes on, because the
     * other tabs of the browser use its token.
     */
    async replace(cookie: string, userId: number): Promise<void> {
      const content = read(cookie)
      const found = content && (await db.sessions.find(content.id))
      if (found && found.session.userId !== userId) await logout(cookie)
    },

    /** Whether the cookie is that of this session. */
    isOf: (cookie: string, sessionId: string): boolean => read(cookie)?.id === sessionId,
  }
}

export type PageSessions = ReturnType<typeof createPageSessions>
