import { Type, type Static } from '@sinclair/typebox'
import { nullableSetting } from './ref.js'

const closed = { additionalProperties: false }
const optionalText = (description: string) =>
  nullableSetting(Type.String({ minLength: 1 }), { default: null, description })

/** How an identity provider is spoken to. */
export const providerKinds = ['oidc', 'github', 'gitee', 'wechat', 'wechatMiniProgram'] as const
export type ProviderKind = (typeof providerKinds)[number]

/** Clients cut `state` at its first `_` to learn the platform, so that a name has none. */
export const platformPattern = '^[A-Za-z0-9-]{1,32}$'

export const ProviderSettings = Type.Object(
  {
    platform: Type.String({
      pattern: platformPattern,
      description: 'a name of 1 to 32 letters, digits and hyphens that clients use',
    }),
    kind: Type.Unsafe<ProviderKind>(Type.String({ enum: [...providerKinds] })),
    name: optionalText('Name shown to people; null means the platform'),
    logo: optionalText('Address of a picture'),
    enabled: Type.Boolean({ default: true }),
    issuer: optionalText('Issuer of an OpenID provider, exact; for `oidc`'),
    baseUrl: optionalText('Address of a GitHub or Gitee server of your own, or of a stand-in of WeChat'),
    clientId: Type.String({ minLength: 1, description: 'Client id, or app id, at the provider' }),
    clientSecret: optionalText('Its secret; null for a public client'),
    scope: optionalText('Scopes asked for, separated by spaces; null means the usual ones of the kind'),
    redirectUris: Type.Array(Type.String({ format: 'redirect-uri' }), {
      default: [],
      description: 'Addresses of the front end that the provider may send people back to; the first is the usual one',
    }),
    tenants: Type.Array(Type.Integer({ minimum: 1 }), {
      default: [],
      description: 'Ids of the tenants whose people may use it; none means all',
    }),
    requireIss: Type.Boolean({
      default: false,
      description: 'Refuse callbacks without the `iss` parameter (RFC 9207) when the provider sends it',
    }),
  },
  closed,
)
export type ProviderSettings = Static<typeof ProviderSettings>

export const Federation = Type.Object(
  {
    unknownIdentity: Type.Unsafe<'refuse' | 'register'>(
      Type.String({
        enum: ['refuse', 'register'],
        default: 'refuse',
        description: 'Whether somebody whose identity is linked to no account is refused or gets a new account',
      }),
    ),
    acceptUnboundBrowsers: Type.Boolean({
      default: false,
      description:
        'Accept browsers that show neither the cookie nor the verifier of the beginning; a stranger can then sign somebody in to the account of the stranger',
    }),
    timeout: Type.Integer({ minimum: 1, maximum: 60, default: 5, description: 'Seconds to wait for a provider' }),
    allowHttp: Type.Boolean({ default: false, description: 'Speak to providers without TLS; only for tests' }),
    allowPrivateAddresses: Type.Boolean({
      default: false,
      description: 'Speak to providers at private or loopback addresses',
    }),
    providers: Type.Array(ProviderSettings, { default: [], description: 'See docs/federation.md' }),
  },
  { ...closed, default: {} },
)
