import type { ExternalIdentity } from '../../db/repositories/identities.js'
import type { ProviderSettings } from '../../schemas/settings-federation.js'
import type { Clock } from '../../lib/clock.js'
import type { Outbound } from './outbound.js'

/** What was agreed on when a sign-in elsewhere began; only the state and the challenge are seen outside. */
export interface AuthorizationRequest {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** What came back from the provider by way of the browser. */
export interface Callback {
  code: string
  iss: string | undefined
}

/** Who somebody is elsewhere, proven. */
export interface VerifiedIdentity extends ExternalIdentity {
  displayName: string | null
}

/** An identity provider. */
export interface Provider {
  settings: ProviderSettings
  /** Where to send the browser; absent for what has no page of its own. */
  authorizationUrl?: (request: AuthorizationRequest) => Promise<URL>
  /** Exchanges the code for who it is about. Throws `invalid_grant`, `unavailable`. */
  exchangeCode: (callback: Callback, request: AuthorizationRequest) => Promise<VerifiedIdentity>
  /** The same for a code that comes without an agreement: a mini-program's. */
  exchangeMiniProgramCode?: (code: string) => Promise<VerifiedIdentity>
}

export interface ProviderParts {
  settings: ProviderSettings
  outbound: Outbound
  clock: Clock
  allowHttp: boolean
}

export type CreateProvider = (parts: ProviderParts) => Provider
