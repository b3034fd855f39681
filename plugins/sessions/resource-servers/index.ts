import fp from 'fastify-plugin'
import type { ServerMetadata } from '../../../schemas/resource-servers.js'
import type { Settings } from '../../../schemas/settings.js'
import { createClientCheck } from './client-check.js'
import { createIntrospection } from './introspection.js'

/**
 * What other services find at the issuer (RFC 8414 2, OpenID Connect Discovery 1.0 section 3): only what this service has. It
 * is no OpenID provider, so there are no endpoints for authorization and tokens.
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
) => ({
  authenticate: createClientCheck(clients),
  introspect: createIntrospection(sessions, tokens),
  /** Undefined while the issuer is not a URL. */
  metadata: serverMetadata({ issuer, introspection: { clients } }),
})

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
