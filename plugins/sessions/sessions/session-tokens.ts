import { Type, type Static } from '@sinclair/typebox'
import type { Session, SessionOwner } from '../../../db/repositories/sessions.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { LoginResult } from '../../../schemas/login.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Clock } from '../../../lib/clock.js'
import { problem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { AccessTokens } from '../tokens/access-tokens.js'
import type { Encryption } from '../../run/encryption/encryption.js'
import type { Grants } from '../../../db/repositories/user-roles.js'
import { toUserInfo } from './user-info.js'

const Issued = Type.Object({ token: Type.String(), exp: Type.Number() })
/** A token and when it expires (epoch seconds). */
export type SessionToken = Static<typeof Issued>
const readStored = jsonReader(Issued)

type TokenSession = Pick<Session, 'id' | 'userId' | 'tenantId' | 'userClient' | 'expiry'>

/**
 * The lifetimes of a kind of client. Throws `session_expired` for a kind that is no longer in the configuration: its sessions
 * end with it.
 */
export const settingsOf = (clients: Settings['clients'], userClient: string): Settings['clients']['pc'] => {
  const found = Object.hasOwn(clients, userClient) ? clients[userClient] : undefined
  if (!found) throw problem('session_expired')
  return found
}

/** A stored token that expires sooner than this is not issued again. Milliseconds. */
const minRemainingTime = 1000

export interface SessionTokenCollaborators {
  tokens: AccessTokens
  encryption: Encryption
  clock: Clock
  clients: Settings['clients']
  claims: Settings['accessTokens']
}

/**
 * Maximum size of the lists in a token as JSON. Base64 makes it a third longer, and servers such as nginx accept 8 KiB for a
 * line of a request header.
 */
const maxListBytes = 4096

/** The lists that the configuration wants in tokens; none if they are too large together. */
const listsOf = ({ roles, permissions }: Settings['accessTokens'], grants: Grants) => {
  const lists = {
    ...(roles ? { roles: grants.roleKeys } : {}),
    ...(permissions ? { permissions: grants.permissions } : {}),
  }
  return Buffer.byteLength(JSON.stringify(lists)) <= maxListBytes ? lists : {}
}

/** Issues the tokens of sessions, encrypts them for storage, and builds the login result. */
export const createSessionTokens = ({ tokens, encryption, clock, clients, claims }: SessionTokenCollaborators) => {
  const purpose = (id: string) => `session ${id}`

  return {
    /** Signs a token for a generation of a session. It expires no later than the session. */
    issue(session: TokenSession, generation: number, grants: Grants): SessionToken {
      const iat = Math.floor(clock.now() / 1000)
      const { accessTtl, audiences } = settingsOf(clients, session.userClient)
      const exp = Math.min(iat + accessTtl, Math.ceil(session.expiry / 1000))
      const token = tokens.issue(
        {
          sub: String(session.userId),
          exp,
          iat,
          jti: randomId(),
          client_id: session.userClient,
          sid: session.id,
          tid: session.tenantId,
          gen: generation,
        },
        { audiences, lists: listsOf(claims, grants) },
      )
      return { token, exp }
    },

    /** The encrypted token that the session stores: a late refresh with the previous token gets the same successor. */
    encrypt: ({ token, exp }: SessionToken, id: string): string =>
      encryption.encrypt(JSON.stringify({ token, exp }), purpose(id)),

    /** The stored token of the current generation; undefined when it has expired. */
    readStoredToken({ id, encryptedToken }: Session): SessionToken | undefined {
      if (encryptedToken === null) return undefined
      const issued = readStored(encryption.decrypt(encryptedToken, purpose(id)))
      return issued && issued.exp * 1000 - clock.now() >= minRemainingTime ? issued : undefined
    },

    /** The payload of a successful sign-in or refresh (interface 2.3). */
    toResult({ token, exp }: SessionToken, owner: SessionOwner): LoginResult {
      const userInfo = toUserInfo(owner)
      return {
        accessToken: token,
        tokenType: 'Bearer',
        expiresIn: Math.max(0, exp - Math.floor(clock.now() / 1000)),
        userInfo,
        forcePasswordChange: userInfo.forcePasswordChange,
      }
    },
  }
}

export type SessionTokens = ReturnType<typeof createSessionTokens>
