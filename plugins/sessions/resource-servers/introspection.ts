import type { SessionOwner } from '../../../db/repositories/sessions.js'
import { isApiToken } from '../../../lib/api-token.js'
import { isProblem } from '../../../lib/problem.js'
import type { TokenIntrospection } from '../../../schemas/resource-servers.js'
import type { IntrospectionClient } from '../../../schemas/settings-resource-servers.js'
import type { TokenOwner } from '../sessions/api-tokens.js'
import type { Sessions } from '../sessions/sessions.js'
import type { AccessTokens, Claims } from '../tokens/access-tokens.js'

const inactive: TokenIntrospection = { active: false }

const describe = (
  { iss, aud, sub, exp, iat, jti, client_id, sid, tid }: Claims,
  { user, grants, session }: SessionOwner,
): TokenIntrospection => ({
  active: true,
  token_type: 'Bearer',
  iss,
  aud,
  sub,
  exp,
  iat,
  jti,
  client_id,
  sid,
  tid,
  acr: session.acr,
  amr: session.amr,
  auth_time: Math.floor(session.authTime / 1000),
  username: user.username,
  roles: grants.roleKeys,
  permissions: grants.permissions,
})

const describeToken = ({ token, user, grants }: TokenOwner): TokenIntrospection => ({
  active: true,
  token_type: 'api_token',
  sub: String(user.id),
  tid: user.tenantId,
  ...(token.expiry !== null && { exp: Math.floor(token.expiry / 1000) }),
  iat: Math.floor(token.createTime / 1000),
  acr: token.acr,
  username: user.username,
  roles: grants.roleKeys,
  permissions: grants.permissions,
})

/**
 * Tells a client about a token (RFC 7662 2.2), with the roles and permissions of now. A token is active if this service would
 * accept it for everything; asking counts as a use of it, so a token that was replaced and is used again ends its session.
 * Why a token is not active is not told.
 */
export const createIntrospection = (
  sessions: Pick<Sessions, 'apiTokens' | 'findCaller'>,
  tokens: Pick<AccessTokens, 'verify'>,
) => {
  const readClaims = async (token: string): Promise<Claims | undefined> => {
    try {
      return (await tokens.verify(token)).claims
    } catch (error) {
      if (isProblem(error) && error.code === 'token_invalid') return undefined
      throw error
    }
  }

  /** From wherever it was sent: the client has checked nothing of that. */
  const describeApiToken = async (token: string): Promise<TokenIntrospection> => {
    const owner = await sessions.apiTokens.find(token)
    return owner && !owner.user.forcePasswordChange ? describeToken(owner) : inactive
  }

  return async ({ audience }: IntrospectionClient, token: string): Promise<TokenIntrospection> => {
    if (isApiToken(token)) return describeApiToken(token)
    const claims = await readClaims(token)
    if (!claims || (audience !== null && ![claims.aud].flat().includes(audience))) return inactive
    const owner = await sessions.findCaller(`Bearer ${token}`)
    if (!owner || owner.user.forcePasswordChange) return inactive
    return describe(claims, owner)
  }
}
