import { Type, type Static, type TUnsafe } from '@sinclair/typebox'

/** Scopes that an application may ask for (OpenID Connect Core 1.0, 5.4; `groups` and `tenant` are ours). */
export const scopes = ['openid', 'profile', 'email', 'phone', 'groups', 'tenant'] as const
export const clientTypes = ['confidential', 'public', 'native'] as const
export const refreshKinds = ['none', 'session', 'offline'] as const
export const idTokenAlgorithms = ['RS256', 'ES256'] as const
export const consentKinds = ['never', 'once'] as const
export const pkceKinds = ['required', 'optional'] as const

// Its own type of a union of words that are computed is `unknown`.
const oneOf = <const Word extends string>(words: readonly Word[]) =>
  Type.Union(words.map((word) => Type.Literal(word))) as unknown as TUnsafe<Word>

/** What an administrator decides about an application, as it is stored. */
export const ClientSettings = Type.Object({
  type: oneOf(clientTypes),
  redirectUris: Type.Array(Type.String()),
  /** Where people may be sent after a sign-out that it has asked for. */
  postLogoutRedirectUris: Type.Array(Type.String()),
  /** Where it is told of sign-outs (Back-Channel Logout 1.0). */
  backchannelLogoutUri: Type.Union([Type.String(), Type.Null()]),
  /** `once`: people are asked before it gets to know them, and that is remembered. Native ones always ask. */
  consent: oneOf(consentKinds),
  /** What it may ask for. */
  scopes: Type.Array(oneOf(scopes)),
  access: Type.Object({
    /** Ids of the tenants whose people may use it; empty means its own tenant. */
    tenants: Type.Array(Type.Integer()),
    /** Keys of roles of which a person needs one; empty means none is needed. */
    roles: Type.Array(Type.String()),
  }),
  /** Whether it has to speak PKCE (RFC 7636). */
  pkce: oneOf(pkceKinds),
  /** `session`: they end with the session; `offline`: they outlive the sign-out. */
  refreshTokens: oneOf(refreshKinds),
  idTokenAlgorithm: oneOf(idTokenAlgorithms),
  /** Whether its ID tokens say only who signed in, and all else is in userinfo. */
  minimalIdToken: Type.Boolean(),
  /** Whether it gets e-mail addresses that nobody has verified. */
  unverifiedEmail: Type.Boolean(),
  /** `aal2` asks everybody for a second factor. */
  minAcr: Type.Union([oneOf(['aal1', 'aal2']), Type.Null()]),
})
export type ClientSettings = Static<typeof ClientSettings>

/** What a client is that says no more than its addresses. */
export const presets: Omit<ClientSettings, 'redirectUris'> = {
  type: 'confidential',
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  consent: 'once',
  scopes: [...scopes],
  access: { tenants: [], roles: [] },
  pkce: 'required',
  refreshTokens: 'none',
  idTokenAlgorithm: 'RS256',
  minimalIdToken: false,
  unverifiedEmail: false,
  minAcr: null,
}
