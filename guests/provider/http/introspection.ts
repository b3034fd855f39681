import type { FastifyInstance } from 'fastify'
import type { TokenIntrospection } from '../../../schemas/resource-servers.js'
import type { Engine } from '../engine/index.js'

/**
 * What `POST /auth/introspect` says of an access token of an application (RFC 7662 2.2). It has no audience: a service that asks for tokens of one
 * audience only learns nothing of it.
 */
export const createDescribe =
  (engine: Pick<Engine, 'findToken'>, { installation, clock }: Pick<FastifyInstance, 'installation' | 'clock'>) =>
  async ({ audience }: { audience: string | null }, text: string): Promise<TokenIntrospection | undefined> => {
    const found = audience === null ? await engine.findToken(text) : undefined
    if (!found) return undefined
    const { token, client, person } = found
    const { user, grants } = person
    // The library reads the clock of the machine.
    const left = token.exp === undefined ? 0 : token.exp - Math.floor(Date.now() / 1000)
    return {
      active: true,
      token_type: 'Bearer',
      iss: installation.settings.issuer,
      sub: String(user.id),
      client_id: client.id,
      scope: token.scope ?? '',
      ...(left > 0 && { exp: Math.floor(clock.now() / 1000) + left }),
      tid: user.tenantId,
      username: user.username,
      roles: grants.roleKeys,
    }
  }
