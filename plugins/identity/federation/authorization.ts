import { hash } from 'node:crypto'
import type { ServerMetadata } from 'openid-client'
import type { ProviderSettings } from '../../../schemas/settings-federation.js'
import type { AuthorizationRequest, Callback } from './provider.js'

/** The S256 challenge of PKCE (RFC 7636 4.2). */
export const challengeOf = ({ verifier }: AuthorizationRequest): string => hash('sha256', verifier, 'base64url')

/**
 * Rebuilds the URL to which the provider redirected the browser from what the front end sent. Existing front ends omit
 * `iss` (RFC 9207): unless `requireIss` is set, the expected value is filled in. A submitted `iss` is always checked.
 */
export const callbackUrl = (
  { code, iss }: Callback,
  { redirectUri, state }: AuthorizationRequest,
  { requireIss }: ProviderSettings,
  metadata: ServerMetadata,
): URL => {
  // Redirect URIs have no query, because openid-client derives `redirect_uri` by removing the query from this URL.
  const url = new URL(redirectUri)
  url.searchParams.set('code', code)
  url.searchParams.set('state', state)
  const isAdvertised = metadata.authorization_response_iss_parameter_supported === true
  const issuer = iss ?? (isAdvertised && !requireIss ? metadata.issuer : undefined)
  if (issuer !== undefined) url.searchParams.set('iss', issuer)
  return url
}
