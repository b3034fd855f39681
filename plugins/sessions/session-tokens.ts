import { Type, type Static } from '@sinclair/typebox'
import type { Session, SessionOwner } from '../../db/repositories/sessions.js'
import { jsonReader } from '../../lib/json-reader.js'
import type { LoginResult, UserClient } from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../../lib/clock.js'
import { randomId } from '../../lib/random-id.js'
import type { AccessTokens } from '../tokens/access-tokens.js'
import type { Sealing } from '../tokens/sealing.js'
import { toUserInfo } from './user-info.js'

const Issued = Type.Object({ token: Type.String(), exp: Type.Number() })
/** A token and the end of its validity, epoch seconds. */
export type SessionToken = Static<typeof Issued>
const readStored = jsonReader(Issued)

type Holder = Pick<Session, 'id' | 'userId' | 'tenantId' | 'userClient' | 'expiry'>

/** A stored token with less life than this is not handed out again. Milliseconds. */
const minRemainingLife = 1000

export interface SessionTokenCollaborators {
  tokens: AccessTokens & { sealing: Sealing }
  clock: Clock
  clients: Settings['clients']
}

/** Makes the tokens of sessions, keeps them sealed for repetition, and builds the login result around them. */
export const createSessionTokens = ({ tokens, clock, clients }: SessionTokenCollaborators) => {
  const purpose = (id: string) => `session ${id}`

  return {
    /** Signs a token for a generation of a session; it never outlives the session. */
    issue(session: Holder, generation: number): SessionToken {
      const iat = Math.floor(clock.now() / 1000)
      const { accessTtl } = clients[session.userClient as UserClient]
      const exp = Math.min(iat + accessTtl, Math.ceil(session.expiry / 1000))
      const token = tokens.issue({
        sub: String(session.userId),
        exp,
        iat,
        jti: randomId(),
        client_id: session.userClient,
        sid: session.id,
        tid: session.tenantId,
        gen: generation,
      })
      return { token, exp }
    },

    /** What is kept of the token of a generation, so that whoever comes late with the one before gets the same. */
    encrypt: ({ token, exp }: SessionToken, id: string): string =>
      tokens.sealing.seal(JSON.stringify({ token, exp }), purpose(id)),

    /** The token that the current generation was given; undefined when its life is over. */
    readStoredToken({ id, sealedToken }: Session): SessionToken | undefined {
      if (sealedToken === null) return undefined
      const issued = readStored(tokens.sealing.open(sealedToken, purpose(id)))
      return issued && issued.exp * 1000 - clock.now() >= minRemainingLife ? issued : undefined
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
