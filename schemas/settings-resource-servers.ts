import { Type, type Static } from '@sinclair/typebox'
import { nullable } from './ref.js'

const closed = { additionalProperties: false }
const audience = Type.String({ minLength: 1, maxLength: 200 })

/** Audiences of the tokens of one kind of client, besides the setting `audience`. */
export const FurtherAudiences = Type.Array(audience, {
  default: [],
  maxItems: 10,
  description: 'Services, besides the one in `audience`, that may accept the tokens: further values of the claim `aud`',
})

/** What access tokens say about a user. */
export const AccessTokenClaims = Type.Object(
  {
    roles: Type.Boolean({ default: false, description: 'Add the keys of the roles of the user as the claim `roles`' }),
    permissions: Type.Boolean({
      default: false,
      description: 'Add the permissions of the user as the claim `permissions`',
    }),
  },
  {
    ...closed,
    default: {},
    description:
      'Further claims of access tokens. They are as old as the token, and left out where they take more than 4,096 bytes together; see verify-tokens.md.',
  },
)

export const IntrospectionClient = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9._~-]{1,64}$',
      description: 'a name of 1 to 64 letters, digits and `.`, `_`, `~`, `-`: the user name of HTTP Basic',
    }),
    secret: Type.String({
      pattern: '^(sha256:[0-9a-f]{64}|[A-Za-z0-9._~+/=-]{32,256})$',
      description:
        'a random secret of 32 to 256 letters, digits and `.`, `_`, `~`, `+`, `/`, `=`, `-`, or `sha256:` and its SHA-256 hash in 64 hexadecimal digits',
    }),
    audience: nullable(audience, {
      default: null,
      description: 'Only tokens with this value in the claim `aud` are active for this service; `null` means all',
    }),
  },
  closed,
)
export type IntrospectionClient = Static<typeof IntrospectionClient>

export const Introspection = Type.Object(
  {
    clients: Type.Array(IntrospectionClient, {
      default: [],
      description:
        'Services that may call `POST /auth/introspect`, see the next table. List a service twice while you change its secret',
    }),
  },
  { ...closed, default: {}, description: 'Token introspection for other services; see verify-tokens.md.' },
)
