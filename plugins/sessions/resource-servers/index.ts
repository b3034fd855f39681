import fp from 'fastify-plugin'
import type { ServerMetadata, TokenIntrospection } from '../../../schemas/resource-servers.js'
import type { Settings } from '../../../schemas/settings.js'
import type { IntrospectionClient } from '../../../schemas/settings-resource-servers.js'
import { createClientCheck } from './client-check.js'
import { createIntrospection } from './introspection.js'

/**
 * What other services find at the issuer (RFC 8414 2, OpenID Connect Discovery 1.0 section 3): only what this service has. Endpoints for
 * authorization and tokens are added by the guest that has them.
 */
const serverMetadata = ({
  issuer,
  introspection: { clients },
}: Pick<Settings, 'issuer' | 'introspection'>): ServerMetadata | undefined => {
  if (!issuer.includes('://')) return undefined
  const base = issuer.replace(/\/$/, '')
  return {
    issuer,
    jwks_uri: `${base}/.well-known/jwks.json`,
    subject_types_supported: ['public'],
    ...(clients.length === 0
      ? {}
      : {
          introspection_endpoint: `${base}/auth/introspect`,
          introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
        }),
  }
}

const create = (
  { issuer, introspection: { clients } }: Parameters<typeof serverMetadata>[0],
  sessions: Parameters<typeof createIntrospection>[0],
  tokens: Parameters<typeof createIntrospection>[1],
) => {
  const own = serverMetadata({ issuer, introspection: { clients } })
  const introspectOwn = createIntrospection(sessions, tokens)
  const additions: Addition[] = []
  return {
    authenticate: createClientCheck(clients),

    async introspect(client: IntrospectionClient, token: string): Promise<TokenIntrospection> {
      for (const { describe } of additions) {
        const described = await describe?.(client, token)
        if (described) return described
      }
      return introspectOwn(client, token)
    },

    /** Undefined while the issuer is not a URL. */
    metadata: (): ServerMetadata | undefined =>
      own && additions.reduce((all, { metadata }) => ({ ...metadata?.(), ...all }), own),

    /** For a guest that issues tokens of its own. */
    add: (addition: Addition): void => void additions.push(addition),
  }
}

/** What a guest adds. */
interface Addition {
  /** Its part of the metadata; what the house says itself stands. */
  metadata?: () => Record<string, unknown>
  /** A token of its own, as the client may know it; undefined for one that it does not know. */
  describe?: (client: IntrospectionClient, token: string) => Promise<TokenIntrospection | undefined>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What services that accept access tokens ask for. */
    resourceServers: ReturnType<typeof create>
  }
}

export default fp(
  async (app) => {
    app.decorate('resourceServers', create(app.installation.settings, app.sessions, app.tokens))
  },
  { name: 'sessions/resource-servers' },
)
