import { hash } from 'node:crypto'
import type { ServerMetadata } from 'openid-client'
import type { ProviderSettings } from '../../schemas/settings-federation.js'
import type { AuthorizationRequest, Callback } from './provider.js'

/** The S256 challenge of PKCE (RFC 7636 4.2). */
export const challengeOf = ({ verifier }: AuthorizationRequest): string => hash('sha256', verifier, 'base64url')

/**
 * The address that the browser came back to, put together again from what the front end passed on. Known front ends
 * leave out `iss` (RFC 9207): unless it is asked for, it is filled in. One that came is always compared.
 */
export const callbackUrl = (
  { code, iss }: Callback,
  { redirectUri, state }: AuthorizationRequest,
  { requireIss }: ProviderSettings,
  metadata: ServerMetadata,
): URL => {
  // A redirect address has no query of its own: openid-client would send the provider another one than was agreed on.
  const url = new URL(redirectUri)
  url.searchParams.set('code', code)
  url.searchParams.set('state', state)
  const isAdvertised = metadata.authorization_response_iss_parameter_supported === true
  const issuer = iss ?? (isAdvertised && !requireIss ? metadata.issuer : undefined)
  if (issuer !== undefined) url.searchParams.set('iss', issuer)
  return url
}
