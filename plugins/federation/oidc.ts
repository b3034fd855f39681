import * as oidc from 'openid-client'
import { callbackUrl, challengeOf } from './authorization.js'
import { toRefusal } from './failures.js'
import type { Outbound } from './outbound.js'
import type { CreateProvider, Proof } from './provider.js'

/** Metadata is read again after this time, milliseconds. */
const longestKnown = 3600 * 1000

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
    return oidc.discovery(new URL(issuer ?? ''), clientId, undefined, authentication, {
      [oidc.customFetch]: toFetch(outbound),
      execute: [...extensions(allowHttp), oidc.enableNonRepudiationChecks],
    })
  }
  const configure = async (): Promise<oidc.Configuration> => {
    if (!known || clock.now() >= known.expiry) {
      known = { configuration: discover(), expiry: clock.now() + longestKnown }
    }
    const { configuration } = known
    try {
      return await configuration
    } catch (error) {
      // A failure is not remembered.
      if (known.configuration === configuration) known = undefined
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

    async authorizationUrl(agreement) {
      try {
        const url = oidc.buildAuthorizationUrl(await configure(), {
          redirect_uri: agreement.redirectUri,
          scope,
          state: agreement.state,
          nonce: agreement.nonce,
          code_challenge: challengeOf(agreement),
          code_challenge_method: 'S256',
        })
        outbound.check(url)
        return url
      } catch (error) {
        throw toRefusal(platform, error)
      }
    },

    async redeem(callback, agreement): Promise<Proof> {
      try {
        const configuration = await configure()
        const tokens = await oidc.authorizationCodeGrant(
          configuration,
          callbackUrl(callback, agreement, settings, configuration.serverMetadata()),
          { expectedState: agreement.state, expectedNonce: agreement.nonce, pkceCodeVerifier: agreement.verifier },
        )
        const claims = tokens.claims()
        if (!claims) throw new Error('there is no ID token')
        const displayName = await readName(configuration, tokens, claims)
        return { issuer: configuration.serverMetadata().issuer, subject: claims.sub, displayName }
      } catch (error) {
        throw toRefusal(platform, error)
      }
    },
  }
}
