import * as oidc from 'openid-client'
import { callbackUrl, challengeOf } from './authorization.js'
import { toRefusal } from './refusals.js'
import { OutboundError, type Outbound } from './outbound.js'
import type { CreateProvider, VerifiedIdentity } from './provider.js'

/** Metadata is read again after this time, milliseconds. */
const metadataLifetime = 3600 * 1000
/** By this the clock of a provider may be fast or slow, seconds. */
const tolerance = 30

const toText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The fetch of openid-client, within our limits. */
export const toFetch =
  (outbound: Outbound): oidc.CustomFetch =>
  (url, { method, headers, body }) =>
    outbound.fetch(url, { method, headers, body: body == null ? undefined : String(body as URLSearchParams | string) })

/** How openid-client is told to speak http. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated as a warning: only with federation.allowHttp
const allowInsecure: (configuration: oidc.Configuration) => void = oidc.allowInsecureRequests

/** What every configuration of openid-client gets. */
export const extensions = (allowHttp: boolean): ((configuration: oidc.Configuration) => void)[] =>
  allowHttp ? [allowInsecure] : []

/** What openid-client leaves to its caller (OpenID Connect Core 3.1.3.7, 5 and 10). Throws. */
const checkClaims = ({ azp, iat }: oidc.IDToken, clientId: string, now: number): void => {
  if (azp !== undefined && azp !== clientId) throw new Error('the ID token was issued to another party')
  if (iat > now / 1000 + tolerance) throw new Error('the ID token was issued in the future')
}

/**
 * OpenID Connect (code flow with PKCE, state and nonce). The ID token's signature, issuer, audience, lifetime and nonce
 * are checked by openid-client.
 */
export const createOidcProvider: CreateProvider = ({ settings, outbound, clock, allowHttp }) => {
  const { clientId, clientSecret, issuer, platform } = settings
  const scope = settings.scope ?? 'openid profile'
  let known: { configuration: Promise<oidc.Configuration>; expiry: number } | undefined

  const discover = async () => {
    const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret)
    try {
      // openid-client has a clock of its own, and takes by how much ours differs.
      const clockSkew = Math.round((clock.now() - Date.now()) / 1000)
      const times = { [oidc.clockSkew]: clockSkew, [oidc.clockTolerance]: tolerance }
      const configuration = await oidc.discovery(new URL(issuer ?? ''), clientId, times, authentication, {
        [oidc.customFetch]: toFetch(outbound),
        execute: [...extensions(allowHttp), oidc.enableNonRepudiationChecks],
      })
      const metadata = configuration.serverMetadata()
      // openid-client compares addresses: with it, a slash more would be another issuer of the same people.
      if (metadata.issuer !== issuer) throw new Error('the metadata are those of another issuer')
      outbound.check(new URL(metadata.authorization_endpoint ?? ''))
      return configuration
    } catch (error) {
      // Whatever is wrong with them, it is no fault of whoever wants to sign in.
      throw new OutboundError('the metadata cannot be used', { cause: error })
    }
  }
  const configure = async (): Promise<oidc.Configuration> => {
    if (!known || clock.now() >= known.expiry) {
      known = { configuration: discover(), expiry: clock.now() + metadataLifetime }
    }
    const current = known
    try {
      return await current.configuration
    } catch (error) {
      // A failure is not remembered; of those who waited for it the first forgets it, unless it was asked again since.
      if (known === current) known = undefined
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
