import type { ServerMetadata } from '../../../schemas/resource-servers.js'
import type { Settings } from '../../../schemas/settings.js'

/**
 * What other services find at the issuer (RFC 8414 2, OpenID Connect Discovery 1.0 section 3): only what this service has. It
 * is no OpenID provider, so there are no endpoints for authorization and tokens.
 */
export const serverMetadata = ({
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
