import { Type, type Static } from '@sinclair/typebox'
import { int64, nullable, oneWord } from '../../../schemas/ref.js'

/** Scopes that an application may ask for (OpenID Connect Core 1.0, 5.4; `groups` and `tenant` are ours). */
export const scopes = ['openid', 'profile', 'email', 'phone', 'groups', 'tenant'] as const
export const clientTypes = ['confidential', 'public', 'native', 'forward'] as const
export const refreshKinds = ['none', 'session', 'offline'] as const
export const idTokenAlgorithms = ['RS256', 'ES256'] as const
export const consentKinds = ['never', 'once'] as const
export const levels = ['aal1', 'aal2'] as const
export const pkceKinds = ['required', 'optional'] as const

const address = (description: string, example: string) =>
  Type.String({ maxLength: 2000, description, examples: [example] })
const addresses = (description: string, example: string) =>
  Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 20, uniqueItems: true, description, examples: [[example]] })

/** Who may use an application. */
const Access = Type.Object(
  {
    tenants: Type.Array(int64({ minimum: 1 }), {
      maxItems: 100,
      uniqueItems: true,
      description: 'Ids of the tenants whose people may use it; empty means its own tenant',
      examples: [[]],
    }),
    roles: Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 100,
      uniqueItems: true,
      description: 'Keys of roles of which a person needs one; empty means none is needed',
      examples: [['staff']],
    }),
  },
  { description: 'Who may use it, asked at each sign-in, refresh and userinfo' },
)

const path = (description: string, example: string) => Type.String({ maxLength: 500, description, examples: [example] })

/** What an administrator decides about an application, as requests send it, answers show it and the database keeps it. */
export const ClientSettings = Type.Object({
  type: oneWord(clientTypes, {
    title: 'ApplicationType',
    description: 'It cannot be changed',
    examples: ['confidential'],
  }),
  redirectUris: addresses(
    'Where people are sent back to, compared character by character',
    'https://grafana.example.com/login/generic_oauth',
  ),
  postLogoutRedirectUris: addresses(
    'Where people may be sent after a sign-out that it has asked for',
    'https://grafana.example.com/login',
  ),
  backchannelLogoutUri: nullable(
    address(
      'Where it is told of sign-outs (Back-Channel Logout 1.0); null: not at all',
      'https://grafana.example.com/logout',
    ),
  ),
  homeUrl: nullable(address('Where people open it; null: unknown', 'https://grafana.example.com/')),
  consent: oneWord(consentKinds, {
    title: 'ConsentKind',
    description: 'Whether people are asked before it gets to know them. Native ones always ask',
    examples: ['once'],
  }),
  scopes: Type.Array(oneWord(scopes, { title: 'ApplicationScope' }), {
    uniqueItems: true,
    description: 'What it may ask for; `openid` is among them',
    examples: [[...scopes]],
  }),
  access: Access,
  pkce: oneWord(pkceKinds, {
    title: 'PkceKind',
    description: 'Whether it has to speak PKCE (RFC 7636); `optional` for confidential ones only',
    examples: ['required'],
  }),
  refreshTokens: oneWord(refreshKinds, {
    title: 'RefreshTokenKind',
    description: 'Whether it gets refresh tokens, and how long they live',
    examples: ['none'],
  }),
  idTokenAlgorithm: oneWord(idTokenAlgorithms, {
    title: 'IdTokenAlgorithm',
    description: 'What signs its ID tokens',
    examples: ['RS256'],
  }),
  minimalIdToken: Type.Boolean({
    description: 'Whether its ID tokens say only who signed in, and all else is in userinfo',
    examples: [false],
  }),
  unverifiedEmail: Type.Boolean({
    description: 'Whether it gets e-mail addresses that nobody has verified',
    examples: [false],
  }),
  minAcr: oneWord(levels, {
    title: 'AuthenticationLevel',
    description: 'What is asked of everybody, whatever the application asks for',
    examples: ['aal1'],
  }),
  resources: Type.Array(Type.String({ maxLength: 500 }), {
    maxItems: 100,
    uniqueItems: true,
    description: 'Services of `provider.resources` for which it may ask for tokens, by their addresses',
    examples: [[]],
  }),
  serviceAccount: nullable(
    int64({ minimum: 1, description: 'Service account as which it gets tokens by client credentials; null: none' }),
    { examples: [null] },
  ),
  hosts: Type.Array(Type.String({ maxLength: 300 }), {
    maxItems: 20,
    uniqueItems: true,
    description: 'Hosts at which a proxy asks who comes, for the type `forward`: those opened by https',
    examples: [[]],
  }),
  openPaths: Type.Array(path('Path of a host', '/public'), {
    maxItems: 100,
    uniqueItems: true,
    description: 'Paths that are open to everybody, with all below them, for the type `forward`',
    examples: [[]],
  }),
  pathRoles: Type.Array(
    Type.Object({
      path: path('Path of a host, with all below it', '/admin'),
      roles: Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Keys of roles of which a person needs one there',
        examples: [['admin']],
      }),
    }),
    {
      maxItems: 100,
      description: 'Paths that need a role beside what the application needs, for the type `forward`',
      examples: [[]],
    },
  ),
  maxAge: nullable(
    Type.Integer({
      minimum: 60,
      maximum: 31_536_000,
      description:
        'How long ago people may have proved who they are, in seconds, for the type `forward`; null: as long as the session lives',
    }),
    { examples: [null] },
  ),
})
export type ClientSettings = Static<typeof ClientSettings>

/** What a client is that says no more than its addresses. */
export const presets: ClientSettings = {
  type: 'confidential',
  redirectUris: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  homeUrl: null,
  consent: 'once',
  scopes: [...scopes],
  access: { tenants: [], roles: [] },
  pkce: 'required',
  refreshTokens: 'none',
  idTokenAlgorithm: 'RS256',
  minimalIdToken: false,
  unverifiedEmail: false,
  minAcr: 'aal1',
  resources: [],
  serviceAccount: null,
  hosts: [],
  openPaths: [],
  pathRoles: [],
  maxAge: null,
}

/** What only applications that know nothing of sign-in have: a proxy asks for them. */
const ofForward = ['hosts', 'openPaths', 'pathRoles', 'maxAge'] as const satisfies (keyof ClientSettings)[]
/** What all have. */
const ofAll = ['type', 'homeUrl', 'access', 'minAcr'] as const satisfies (keyof ClientSettings)[]
const settingNames = Object.keys(presets) as (keyof ClientSettings)[]

/** Who comes is told by headers, and nothing of the protocol is left to decide. */
const forwardPresets: ClientSettings = { ...presets, type: 'forward', consent: 'never' }

export const presetsOf = (type: ClientSettings['type'] = 'confidential'): ClientSettings =>
  type === 'forward' ? forwardPresets : { ...presets, type }

/** The first setting that applications of this type do not have, and that is not at its preset; undefined where there is none. */
export const foreignSetting = (client: ClientSettings): keyof ClientSettings | undefined => {
  const own = presetsOf(client.type)
  const foreign = (name: keyof ClientSettings): boolean =>
    client.type === 'forward'
      ? ![...ofForward, ...ofAll].some((one) => one === name)
      : ofForward.some((one) => one === name)
  return settingNames.find((name) => foreign(name) && JSON.stringify(client[name]) !== JSON.stringify(own[name]))
}
