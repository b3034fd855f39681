import { Type, type Static } from '@sinclair/typebox'
import { clientFields, credential, SocialPlatform, verifierField } from './login.js'
import { int32, int64, nullable, ref } from './ref.js'

export const SocialPlatforms = Type.Array(ref(SocialPlatform), { $id: 'SocialPlatforms' })

export const SocialPlatformsQuery = Type.Object({ tenantId: clientFields.tenantId })

export const AuthUrlParameters = Type.Object({
  platform: Type.String({ maxLength: 32, description: 'One of `/social/platforms`', examples: ['github'] }),
})

export const AuthUrlQuery = Type.Object({
  ...clientFields,
  redirectUri: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'Where the provider sends the user back to; exactly one of the configured addresses',
    }),
  ),
  action: Type.Optional(
    Type.String({
      description:
        '`bind`: the state is `bind_<platform>_<random>`, so that the page to which the provider sends the user back knows that it links an identity; anything else is ignored',
    }),
  ),
})
export type AuthUrlQuery = Static<typeof AuthUrlQuery>

export const AuthUrl = Type.Object(
  {
    platform: Type.String({ examples: ['github'] }),
    authUrl: Type.String({
      description: 'Where to send the browser',
      examples: ['https://github.com/login/oauth/authorize?client_id=example&state=github_m3Yk0d4xQkq1x2b3c4d5eg'],
    }),
    state: Type.String({
      description: 'The provider sends it back with the authorization code',
      examples: ['github_m3Yk0d4xQkq1x2b3c4d5eg'],
    }),
    verifier: Type.String({
      description:
        'For front ends of another origin: keep it in `sessionStorage` and send it with the code and the state, in place of the cookie',
      examples: ['jY2m0Zk1n8sV5cQwq3rT7uXbA9dEfGhI4oPlKzMxNvB'],
    }),
  },
  { $id: 'AuthUrl' },
)
export type AuthUrl = Static<typeof AuthUrl>

export const SocialCallbackRequest = Type.Object(
  {
    platform: Type.String({ maxLength: 32, examples: ['github'] }),
    code: credential('Authorization code that the provider sent back', '0b8c4f1e7a'),
    state: credential('The state that came with the authorization code', 'github_m3Yk0d4xQkq1x2b3c4d5eg'),
    verifier: Type.Optional(verifierField),
    iss: Type.Optional(credential('The `iss` parameter that came with the authorization code (RFC 9207), if any')),
    ...clientFields,
  },
  { $id: 'SocialCallbackRequest' },
)
export type SocialCallbackRequest = Static<typeof SocialCallbackRequest>

export const SocialTicket = Type.Object(
  {
    socialTicket: Type.String({
      description: 'Valid for one sign-in with `oauth2` or `social`, or for one `POST /social/bind`',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    platform: Type.String({ examples: ['github'] }),
    tenantId: int64({ examples: [1] }),
    expiresIn: int32({ description: 'Validity in seconds', examples: [120] }),
  },
  { $id: 'SocialTicket' },
)
export type SocialTicket = Static<typeof SocialTicket>

export const LinkIdentityRequest = Type.Object(
  {
    socialTicket: credential(
      'Ticket of `POST /social/callback`, whose `authUrl` was requested with the token of the same session',
    ),
    password: Type.Optional(
      credential('Password of the account; not needed within ten minutes of the sign-in of the session'),
    ),
  },
  {
    $id: 'LinkIdentityRequest',
    examples: [{ socialTicket: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }],
  },
)
export type LinkIdentityRequest = Static<typeof LinkIdentityRequest>

export const LinkedIdentity = Type.Object(
  {
    id: int64({ examples: [1] }),
    platform: Type.String({ examples: ['github'] }),
    platformName: Type.String({ examples: ['GitHub'] }),
    displayName: nullable(Type.String(), { description: 'Name of the user at the provider' }),
    linkTime: int64({ description: 'Epoch milliseconds', examples: [1770000000000] }),
  },
  { $id: 'LinkedIdentity', description: 'An account at an identity provider that signs in to this account' },
)
export type LinkedIdentity = Static<typeof LinkedIdentity>

export const LinkedIdentities = Type.Array(ref(LinkedIdentity), { $id: 'LinkedIdentities' })

const identityId = int64({ minimum: 1, description: 'Id of the linked identity', examples: [1] })
export const LinkedIdentityParameters = Type.Object({ id: identityId })
export const UserIdentityParameters = Type.Object({
  id: int64({ minimum: 1, description: 'Id of the user', examples: [2] }),
  identityId,
})
