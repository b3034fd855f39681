import { Type, type Static } from '@sinclair/typebox'
import * as oauth from 'openid-client'
import { jsonReader } from '../../../lib/json-reader.js'
import type { ProviderKind } from '../../../schemas/settings-federation.js'
import { callbackUrl, challengeOf } from './authorization.js'
import { toRefusal } from './refusals.js'
import { extensions, toFetch } from './oidc.js'
import type { CreateProvider } from './provider.js'

/** A provider of plain OAuth 2, without ID tokens: the identity is read from its user API. */
interface OAuthRow {
  /** Base URL, and the issuer of its identities. */
  issuer: string
  /** Path of its `iss` parameter (RFC 9207); absent if it sends none. */
  issPath?: string
  authorizationPath: string
  tokenPath: string
  userUrl: (base: string) => string
  scope: string
}

const RemoteUser = Type.Object({ id: Type.Optional(Type.Unknown()), login: Type.Optional(Type.Unknown()) })
type RemoteUser = Static<typeof RemoteUser>
const readUser = jsonReader(RemoteUser)

/** github.com has its API on a host of its own, GitHub Enterprise on a path. */
const githubApi = (base: string) => (base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`)

export const oauthRows = {
  github: {
    issuer: 'https://github.com',
    issPath: '/login/oauth',
    authorizationPath: '/login/oauth/authorize',
    tokenPath: '/login/oauth/access_token',
    userUrl: (base) => `${githubApi(base)}/user`,
    scope: 'read:user',
  },
  gitee: {
    issuer: 'https://gitee.com',
    authorizationPath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    userUrl: (base) => `${base}/api/v5/user`,
    scope: 'user_info',
  },
} as const satisfies Partial<Record<ProviderKind, OAuthRow>>

/** The numeric id of a user. The login name is not used: it can be given to another user. */
const readSubject = ({ id }: RemoteUser): string => {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id)
  if (typeof id === 'string' && id !== '') return id
  throw new Error('the user has no id')
}

const toName = ({ login }: RemoteUser): string | null => (typeof login === 'string' && login !== '' ? login : null)

/** Authorization code flow with PKCE and state for one of `oauthRows`. */
export const createOAuthProvider =
  (row: OAuthRow): CreateProvider =>
  ({ settings, outbound, allowHttp }) => {
    const { clientId, clientSecret, platform } = settings
    const base = (settings.baseUrl ?? row.issuer).replace(/\/$/, '')
    const metadata = {
      issuer: `${base}${row.issPath ?? ''}`,
      authorization_response_iss_parameter_supported: row.issPath !== undefined,
      authorization_endpoint: `${base}${row.authorizationPath}`,
      token_endpoint: `${base}${row.tokenPath}`,
    }
    const configuration = new oauth.Configuration(
      metadata,
      clientId,
      undefined,
      clientSecret === null ? oauth.None() : oauth.ClientSecretPost(clientSecret),
    )
    configuration[oauth.customFetch] = toFetch(outbound)
    for (const extension of extensions(allowHttp)) extension(configuration)

    return {
      settings,

      async authorizationUrl(request) {
        return oauth.buildAuthorizationUrl(configuration, {
          redirect_uri: request.redirectUri,
          scope: settings.scope ?? row.scope,
          state: request.state,
          code_challenge: challengeOf(request),
          code_challenge_method: 'S256',
        })
      },

      async exchangeCode(callback, request) {
        try {
          const tokens = await oauth.authorizationCodeGrant(
            configuration,
            callbackUrl(callback, request, settings, metadata),
            { expectedState: request.state, pkceCodeVerifier: request.verifier },
          )
          const answer = await outbound.fetch(row.userUrl(base), {
            headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
          })
          if (answer.status !== 200) throw new Error(`the user API answered ${answer.status}`)
          const user = readUser(await answer.text())
          if (!user) throw new Error('the answer of the user API is not a JSON object')
          return { issuer: base, subject: readSubject(user), displayName: toName(user) }
        } catch (error) {
          throw toRefusal(platform, error)
        }
      },
    }
  }
