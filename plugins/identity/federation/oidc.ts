import * as oidc from 'openid-client'
import { machineClock } from '../../../lib/clock.js'
import { toOneLine } from '../../../lib/one-line.js'
import { callbackUrl, challengeOf } from './authorization.js'
import { tokenEndpointAuthMethods, type ProviderSettings } from '../../../schemas/settings-federation.js'
import { toCause, toRefusal } from './refusals.js'
import { OutboundError, type Outbound } from '../../../lib/outbound.js'
import type { CreateProvider, VerifiedIdentity } from './provider.js'

/** Provider metadata is cached for this time, milliseconds. */
const metadataLifetime = 3600 * 1000
/** Seconds by which the clock of a provider may differ. */
const clockTolerance = 30

/** Characters of the issuer of a provider that are logged. */
const maxIssuerLength = 200

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

/** Sends the client secret as the setting or else the metadata say; without metadata in the header (Core 9). */
const authenticationFor = ({ clientSecret, tokenEndpointAuthMethod: method }: ProviderSettings): oidc.ClientAuth => {
  if (clientSecret === null) return oidc.None()
  const ways = {
    client_secret_basic: oidc.ClientSecretBasic(clientSecret),
    client_secret_post: oidc.ClientSecretPost(clientSecret),
  }
  return (server, ...rest) => ways[method === 'metadata' ? methodOf(server) : method](server, ...rest)
}

/** Throws when the provider takes a client secret in no way that is known here. */
const methodOf = ({ token_endpoint_auth_methods_supported: supported }: oidc.ServerMetadata) => {
  const method = tokenEndpointAuthMethods.find((one) => supported?.includes(one) ?? true)
  if (method) return method
  throw new Error(`the provider takes neither ${tokenEndpointAuthMethods.join(' nor ')}`)
}

/** Whether openid-client has found another issuer or another subject than it was asked about. */
const isMismatch = (error: unknown): error is oidc.ClientError =>
  error instanceof oidc.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'

const otherIssuer = (found: unknown): Error =>
  new Error(`the metadata name the issuer ${toOneLine(String(found)).slice(0, maxIssuerLength)}`)

/** openid-client does not say which issuer the metadata name, but keeps them. */
const explain = (error: unknown): unknown =>
  isMismatch(error) ? otherIssuer((error.cause as { body?: { issuer?: unknown } } | undefined)?.body?.issuer) : error

/**
 * OpenID Connect (code flow with PKCE, state and nonce). The ID token's signature, issuer, audience, lifetime and nonce
 * are checked by openid-client.
 */
export const createOidcProvider: CreateProvider = ({ settings, outbound, clock, log, allowHttp }) => {
  const { clientId, clientSecret, issuer, platform, tokenEndpointAuthMethod } = settings
  const scope = settings.scope ?? 'openid profile'
  let cached: { configuration: Promise<oidc.Configuration>; expiry: number } | undefined

  const discover = async () => {
    try {
      // openid-client uses the system clock and accepts the difference to ours.
      const clockSkew = Math.round((clock.now() - machineClock.now()) / 1000)
      const times = { [oidc.clockSkew]: clockSkew, [oidc.clockTolerance]: clockTolerance }
      const configuration = await oidc.discovery(new URL(issuer ?? ''), clientId, times, authenticationFor(settings), {
        [oidc.customFetch]: toFetch(outbound),
        execute: [...extensions(allowHttp), oidc.enableNonRepudiationChecks],
      })
      const metadata = configuration.serverMetadata()
      // openid-client ignores a trailing slash here; with it, the same users would have another issuer.
      if (metadata.issuer !== issuer) throw otherIssuer(metadata.issuer)
      if (clientSecret !== null && tokenEndpointAuthMethod === 'metadata') methodOf(metadata)
      outbound.check(new URL(metadata.authorization_endpoint ?? ''))
      return configuration
    } catch (error) {
      // An OutboundError, because invalid metadata is an outage of the provider and not a fault of the request.
      throw new OutboundError('the provider metadata cannot be used', { cause: explain(error) })
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
    try {
      const info = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return toText(info.preferred_username) ?? toText(info.name)
    } catch (error) {
      // Core 5.3.2: claims about another subject than that of the ID token are an attack, and no outage.
      if (isMismatch(error)) throw error
      // The ID token has verified who it is; only the name is missing.
      const { message } = toCause(platform, error)
      log.warn({ cause: message }, 'the name of a user could not be read from the identity provider')
      return null
    }
  }

  return {
    settings,

    async checkMetadata() {
      await configure()
    },

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
        const isTwoFactors = [claims['amr']]
          .flat()
          .some((method) => settings.secondFactorAmr.some((one) => one === method))
        return { issuer: configuration.serverMetadata().issuer, subject: claims.sub, displayName, isTwoFactors }
      } catch (error) {
        throw toRefusal(platform, error)
      }
    },
  }
}
