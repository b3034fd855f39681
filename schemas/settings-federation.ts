import { Type, type Static } from '@sinclair/typebox'
import { nullable, oneWord } from './ref.js'

const closed = { additionalProperties: false }
const optionalText = (description: string) => nullable(Type.String({ minLength: 1 }), { default: null, description })

/** How a client secret is sent to the token endpoint (OpenID Connect Core 9). */
export const tokenEndpointAuthMethods = ['client_secret_basic', 'client_secret_post'] as const

/** Without `_`: clients take the part of `state` before the first `_` as the name of the platform. */
export const platformPattern = '^[A-Za-z0-9-]{1,32}$'

export const ProviderSettings = Type.Object(
  {
    platform: Type.String({
      pattern: platformPattern,
      description: 'a name of 1 to 32 letters, digits and hyphens that clients use',
    }),
    kind: oneWord(['oidc', 'github', 'gitee', 'wechat', 'wechatMiniProgram'], {
      description: 'Protocol of the provider; `oidc` is any OpenID provider',
    }),
    name: optionalText('Name that users see; `null` means the usual name of the kind'),
    logo: optionalText('URL of a picture; `null` means none'),
    enabled: Type.Boolean({ default: true, description: '`false` disables the provider' }),
    issuer: optionalText(
      'For `oidc`: the issuer of the OpenID provider, character by character; its endpoints are discovered from it',
    ),
    baseUrl: optionalText(
      'URL of your own GitHub Enterprise or Gitee server, or of a test server that replaces WeChat',
    ),
    clientId: Type.String({ minLength: 1, description: 'Client id (WeChat: app id) at the provider' }),
    clientSecret: optionalText('Client secret at the provider; `null` for a public client'),
    tokenEndpointAuthMethod: oneWord(['metadata', ...tokenEndpointAuthMethods], {
      default: 'metadata',
      description:
        'For `oidc`: how the client secret is sent, `client_secret_basic` (in a header) or `client_secret_post` (in the body); `metadata` means as the provider says there, in a header if it takes both',
    }),
    scope: optionalText(
      'Scopes to request, separated by spaces; `null` means the usual ones: `openid profile`, `read:user`, `user_info` or `snsapi_login`',
    ),
    redirectUris: Type.Array(Type.String({ format: 'redirect-uri' }), {
      default: [],
      description:
        'Pages of the front end to which the provider may send users back, compared character by character; the first is used when a request names none',
    }),
    tenants: Type.Array(Type.Integer({ minimum: 1 }), {
      default: [],
      description: 'Ids of the tenants whose users may use the provider; an empty list means all',
    }),
    secondFactorAmr: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      default: [],
      description:
        'For `oidc`: values of the claim `amr` (RFC 8176), such as `mfa`, with which the provider says that it has asked for a second factor; a sign-in with one of them counts as two factors here',
    }),
    requireIss: Type.Boolean({
      default: false,
      description:
        'Refuse callbacks without the parameter `iss` (RFC 9207); for providers that send it and front ends that pass it on',
    }),
  },
  closed,
)
export type ProviderSettings = Static<typeof ProviderSettings>
export type ProviderKind = ProviderSettings['kind']

export const Federation = Type.Object(
  {
    unknownIdentity: oneWord(['refuse', 'register'], {
      default: 'refuse',
      description: 'What to do with an identity that is linked to no account: `refuse` it, or `register` a new account',
    }),
    acceptUnboundBrowsers: Type.Boolean({
      default: false,
      description:
        'Unsafe: accept callbacks from browsers without the cookie and the verifier; an attacker can then make somebody sign in to the account of the attacker',
    }),
    timeout: Type.Integer({ minimum: 1, maximum: 60, default: 5, description: 'Seconds to wait for a provider' }),
    allowHttp: Type.Boolean({ default: false, description: 'Connect to providers without TLS; only for tests' }),
    allowPrivateAddresses: Type.Boolean({
      default: false,
      description: 'Connect to providers at private or loopback addresses',
    }),
    providers: Type.Array(ProviderSettings, {
      default: [],
      description: 'Identity providers, see the next table and [federation.md](federation.md)',
    }),
  },
  { ...closed, default: {}, description: 'Sign-in by identity providers.' },
)
