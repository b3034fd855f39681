import { Type, type Static } from '@sinclair/typebox'
import { int64 } from './ref.js'

export const IntrospectionRequest = Type.Object(
  {
    token: Type.String({ description: 'The access token', examples: ['eyJhbGciOiJFUzI1NiIs…'] }),
    token_type_hint: Type.Optional(Type.String({ description: 'Ignored', examples: ['access_token'] })),
  },
  { $id: 'IntrospectionRequest', description: 'RFC 7662 2.1' },
)

const text = (description: string, example?: string) =>
  Type.Optional(Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) }))
const texts = (description: string, example: string) =>
  Type.Optional(Type.Array(Type.String(), { description, examples: [[example]] }))
const seconds = (description: string) => Type.Optional(int64({ description, examples: [1770000000] }))

/** All but `active` is absent for a token that is not active. */
export const TokenIntrospection = Type.Object(
  {
    active: Type.Boolean({
      description: 'Whether the token is accepted now; without it there are no other fields',
      examples: [true],
    }),
    token_type: text('`Bearer` for an access token, `api_token` for an API token', 'Bearer'),
    iss: text('Issuer', 'rollcall'),
    aud: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: 'The audience, or a list of several',
        examples: ['rollcall'],
      }),
    ),
    sub: text('Id of the user', '1'),
    exp: seconds('When the token expires, epoch seconds'),
    iat: seconds('When the token was issued, epoch seconds'),
    jti: text('Id of the token'),
    client_id: text('Kind of client; for the token of an application its id', 'pc'),
    scope: text('Scopes of the token of an application, separated by blanks'),
    sid: text('Id of the session'),
    tid: Type.Optional(int64({ description: 'Id of the tenant', examples: [1] })),
    acr: text('`aal1`: one factor was proved in the session; `aal2`: two', 'aal1'),
    amr: texts('How the user was proved (RFC 8176)', 'pwd'),
    auth_time: seconds('When the user was proved last, epoch seconds'),
    username: text('User name', 'admin'),
    roles: texts('Keys of the roles that the user has now', 'admin'),
    permissions: texts('Permissions that the user has now; `*` stands for any segment', '*:*:*'),
  },
  { $id: 'TokenIntrospection', description: 'RFC 7662 2.2' },
)
export type TokenIntrospection = Static<typeof TokenIntrospection>

/** With what the OpenID provider adds, where it is switched on. */
export const ServerMetadata = Type.Object(
  {
    issuer: Type.String({ examples: ['https://id.example.com'] }),
    jwks_uri: Type.String({ examples: ['https://id.example.com/.well-known/jwks.json'] }),
    subject_types_supported: Type.Array(Type.String(), { examples: [['public']] }),
    introspection_endpoint: text('Absent if no service may call it', 'https://id.example.com/auth/introspect'),
    introspection_endpoint_auth_methods_supported: texts(
      'Absent without an introspection endpoint',
      'client_secret_basic',
    ),
  },
  {
    $id: 'ServerMetadata',
    additionalProperties: true,
    description: 'What the service offers to other services (RFC 8414 2)',
  },
)
export type ServerMetadata = Static<typeof ServerMetadata> & Record<string, unknown>

export const TokenCheckQuery = Type.Object(
  {
    permission: Type.Optional(
      Type.String({
        pattern: '^[^:\\s]+:[^:\\s]+:[^:\\s]+$',
        maxLength: 200,
        description: 'A permission that the user must have, such as `report:daily:read`',
        examples: ['report:daily:read'],
      }),
    ),
  },
  // A proxy whose configuration has a typing error must not admit everybody.
  { additionalProperties: false },
)
