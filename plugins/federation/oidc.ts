import * as oidc from 'openid-client'
import { machineClock } from '../../lib/clock.js'
import { callbackUrl, challengeOf } from './authorization.js'
import { toRefusal } from './refusals.js'
import { OutboundError, type Outbound } from './outbound.js'
import type { CreateProvider, VerifiedIdentity } from './provider.js'

/** Provider metadata is cached for this time, milliseconds. */
const metadataLifetime = 3600 * 1000
/** Seconds by which the clock of a provider may differ. */
const clockTolerance = 30

const toText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The `fetch` function for openid-client, with the limits of `Outbound`. */
export const toFetch =
  (outbound: Outbound): oidc.CustomFetch =>
  (url, { method, headers, body }) =>
    outbound.fetch(url, { method, headers, body: body == null ? undefined : String(body as URLSearchParams | string) })

// eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only as a warning; used with federation.allowHttp
const allowInsecure: (configuration: oidc.Configuration) => void = oidc.allowInsecureRequests

/** Extensions for every configuration of openid-client. */
export const extensions = (allowHttp: boolean): ((configuration: oidc.Configuration) => void)[] =>
  allowHttp ? [allowInsecure] : []

/** Checks that openid-client leaves to its caller (OpenID Connect Core 3.1.3.7, steps 5 and 10). Throws. */
const checkClaims = ({ azp, iat }: oidc.IDToken, clientId: string, now: number): void => {
  if (azp !== undefined && azp !== clientId) throw new Error('the ID token was issued to another party')
  if (iat > now / 1000 + clockTolerance) throw new Error('the ID token was issued in the future')
}

/**
 * OpenID Connect (code flow with PKCE, state and nonce). The ID token's signature, issuer, audience, lifetime and nonce
 * are checked by openid-client.
 */
export const createOidcProvider: CreateProvider = ({ settings, outbound, clock, allowHttp }) => {
  const { clientId, clientSecret, issuer, platform } = settings
  const scope = settings.scope ?? 'openid profile'
  let cached: { configuration: Promise<oidc.Configuration>; expiry: number } | undefined

  const discover = async () => {
    const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret)
    try {
      // openid-client uses the system clock and accepts the difference to ours.
      const clockSkew = Math.round((clock.now() - machineClock.now()) / 1000)
      const times = { [oidc.clockSkew]: clockSkew, [oidc.clockTolerance]: clockTolerance }
      const configuration = await oidc.discovery(new URL(issuer ?? ''), clientId, times, authentication, {
        [oidc.customFetch]: toFetch(outbound),
        execute: [...extensions(allowHttp), oidc.enableNonRepudiationChecks],
      })
      const metadata = configuration.serverMetadata()
      // openid-client ignores a trailing slash here; with it, the same users would have another issuer.
      if (metadata.issuer !== issuer) throw new Error('the metadata belongs to another issuer')
      outbound.check(new URL(metadata.authorization_endpoint ?? ''))
      return configuration
    } catch (error) {
      // An OutboundError, because invalid metadata is an outage of the provider and not a fault of the request.
      throw new OutboundError('the provider metadata cannot be used', { cause: error })
    }
  }
  const configure = async (): Promise<oidc.Configuration> => {
    if (!cached || clock.now() >= cached.expiry) {
      cached = { configuration: discover(), expiry: clock.now() + metadataLifetime }
    }
    const current = cached
    try {
      return await current.configuration
    } catch (error) {
      // A failed discovery is not cached. Another request may have started a new one meanwhile, which stays.
      if (cached === current) cached = undefined
      throw error
    }
  }

  const readName = async (
    configuration: oidc.Configuration,
    tokens: oidc.TokenEndpointResponse,
    claims: oidc.IDToken,
  ) => {
    const name = toText(claims['preferred_username']) ?? toText(claims['name'])
    if (name !== null || configuration.serverMetadata().userinfo_endpoint === undefined) return name
    const info = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return toText(info.preferred_username) ?? toText(info.name)
  }

  return {
    settings,

    async authorizationUrl(request) {
      try {
        return oidc.buildAuthorizationUrl(await configure(), {
          redirect_uri: request.redirectUri,
          scope,
          state: request.state,
          nonce: request.nonce,
          code_challenge: challengeOf(request),
          code_challenge_method: 'S256',
        })
      } catch (error) {
        throw toRefusal(platform, error)
      }
    },

    async exchangeCode(callback, request): Promise<VerifiedIdentity> {
      try {
        const configuration = await configure()
        const tokens = await oidc.authorizationCodeGrant(
          configuration,
          callbackUrl(callback, request, settings, configuration.serverMetadata()),
          { expectedState: request.state, expectedNonce: request.nonce, pkceCodeVerifier: request.verifier },
        )
        const claims = tokens.claims()
        if (!claims) throw new Error('there is no ID token')
        checkClaims(claims, clientId, clock.now())
        const displayName = await readName(configuration, tokens, claims)
        return { issuer: configuration.serverMetadata().issuer, subject: claims.sub, displayName }
      } catch (error) {
        throw toRefusal(platform, error)
      }
    },
  }
}
