import type { FastifyBaseLogger } from 'fastify'
import type { ExternalIdentity } from '../../../db/repositories/identities.js'
import type { ProviderSettings } from '../../../schemas/settings-federation.js'
import type { Clock } from '../../../lib/clock.js'
import type { Outbound } from '../../../lib/outbound.js'

/** The secrets of one sign-in at a provider. The PKCE verifier is only sent to the token endpoint of the provider. */
export interface AuthorizationRequest {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** The parameters with which the provider redirected the browser back. */
export interface Callback {
  code: string
  iss: string | undefined
}

/** The identity of a user at a provider, verified by the provider. */
export interface VerifiedIdentity extends ExternalIdentity {
  displayName: string | null
  /** Whether the provider has asked for a second factor, as the setting `secondFactorAmr` reads its answer. */
  isTwoFactors?: boolean | undefined
}

/** An identity provider. */
export interface Provider {
  settings: ProviderSettings
  /** The URL of the sign-in page; absent for providers without one. */
  authorizationUrl?: (request: AuthorizationRequest) => Promise<URL>
  /** Exchanges an authorization code for the identity of the user. Throws `invalid_grant`, `unavailable`. */
  exchangeCode: (callback: Callback, request: AuthorizationRequest) => Promise<VerifiedIdentity>
  /** Reads the metadata of the provider and checks them; absent for providers without metadata. Throws an `OutboundError`. */
  checkMetadata?: () => Promise<void>
  /** Exchanges a code of a WeChat mini-program, which has no authorization request. */
  exchangeMiniProgramCode?: (code: string) => Promise<VerifiedIdentity>
}

export interface ProviderParts {
  settings: ProviderSettings
  outbound: Outbound
  clock: Clock
  log: Pick<FastifyBaseLogger, 'warn'>
  allowHttp: boolean
}

export type CreateProvider = (parts: ProviderParts) => Provider
