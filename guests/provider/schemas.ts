import { Type, type Static } from '@sinclair/typebox'
import { pageOf, pagingParameters } from '../../schemas/paging.js'
import { filterText, int64, nameText, nullable, oneWord, ref, refusesNull, time } from '../../schemas/ref.js'
import { omissions, type refusals } from './clients/claims-preview.js'
import { ClientSettings } from './clients/settings.js'

const clientId = Type.String({ maxLength: 500, description: 'Id of the application', examples: ['grafana'] })
const scopes = Type.Array(Type.String(), {
  description: 'What it gets to know, by scope; at a service: its address, `#` and the scope',
  examples: [['openid', 'profile']],
})

const Application = Type.Object(
  {
    id: clientId,
    name: Type.String({ examples: ['Grafana'] }),
    homeUrl: nullable(Type.String(), {
      description: 'Where people open it; null: unknown',
      examples: ['https://grafana.example.com/'],
    }),
  },
  { $id: 'Application', description: 'An application that signs people in here' },
)

const ApplicationGrant = Type.Object(
  {
    id: clientId,
    client: ref(Application),
    scopes,
    createTime: time('When it was first allowed'),
    lastUsedTime: time('When it last asked'),
  },
  { $id: 'ApplicationGrant', description: 'What an application gets to know of somebody' },
)
export type ApplicationGrant = Static<typeof ApplicationGrant>

const ApplicationGrantList = Type.Array(ref(ApplicationGrant), { $id: 'ApplicationGrantList' })

const InteractionDetails = Type.Object(
  {
    prompt: oneWord(['login', 'consent'], { description: 'Whether it waits for a sign-in or for a consent' }),
    client: ref(Application),
    scopes,
    isDocument: Type.Boolean({
      description: 'Whether it is not registered, and describes itself in a document at its id',
      examples: [false],
    }),
    resources: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['https://notes.example.com/mcp'] }),
        name: Type.String({ examples: ['Notes'] }),
        scopes: Type.Array(Type.String(), { examples: [['notes:read']] }),
      }),
      { description: 'The services at which it wants to be let in' },
    ),
    redirectHost: Type.String({ description: 'Where people are sent back to', examples: ['grafana.example.com'] }),
    loginHint: nullable(Type.String(), { description: 'The name that the application expects', examples: ['alice'] }),
    reasons: Type.Array(Type.String(), { description: 'Why somebody is asked', examples: [['no_session']] }),
  },
  { $id: 'InteractionDetails', description: 'A request of an application that waits for a person' },
)

const ConsentRequest = Type.Object(
  {
    accept: Type.Boolean({ description: 'Whether the person lets the application know this', examples: [true] }),
    remember: Type.Optional(Type.Boolean({ default: true, description: 'Whether it is not asked again' })),
  },
  { $id: 'ConsentRequest' },
)

const Continuation = Type.Object(
  { redirectTo: Type.String({ description: 'Where the browser goes on' }) },
  { $id: 'Continuation' },
)

const tenantId = int64({ examples: [1] })
const name = nameText('What people know it by, 1 to 100 characters', {
  minLength: 1,
  maxLength: 100,
  examples: ['Grafana'],
})
const { type, redirectUris, access, ...settings } = ClientSettings.properties

const secret = Type.String({ description: 'Its secret: only in the answer that makes it', examples: ['8Yd…'] })

const ApplicationRecord = Type.Object(
  {
    id: clientId,
    name: Type.String({ examples: ['Grafana'] }),
    tenantId,
    tenantName: Type.String({ examples: ['Default'] }),
    ...ClientSettings.properties,
    secret: Type.Optional(secret),
    hasSecret: Type.Boolean({ description: 'Whether it proves by a secret who it is', examples: [true] }),
    oldSecretUntil: nullable(time('Until when the secret of before is taken, too; null: it is not')),
    lastError: nullable(
      Type.Object({
        message: Type.String({ examples: ['invalid_redirect_uri: …'] }),
        time: time('When it was refused'),
      }),
      { description: 'What it was refused last; null: nothing yet', examples: [null] },
    ),
    pendingLogouts: int64({ description: 'Sign-outs of which it waits to be told', examples: [0] }),
    createTime: time('When it was added'),
    updateTime: time('When it was changed last'),
  },
  { $id: 'ApplicationRecord', description: 'An application as administrators see it, without its secret' },
)

const ApplicationSecret = Type.Object({ secret }, { $id: 'ApplicationSecret' })

const ApplicationPage = pageOf(ref(ApplicationRecord), 'ApplicationPage')
export type ApplicationPage = Static<typeof ApplicationPage>

export const ApplicationQuery = Type.Object({
  ...pagingParameters,
  keyword: filterText('Contained in the id or the name, case-insensitive'),
  tenantId: Type.Optional(int64({ description: 'Equal to the tenant of the application' })),
})
export type ApplicationQuery = Static<typeof ApplicationQuery>

const changeable = {
  ...Type.Partial(Type.Object(settings)).properties,
  access: Type.Optional(Type.Partial(access)),
}

const NewApplication = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Its client id, unique in the installation; absent means a random one. It cannot be changed',
        examples: ['grafana'],
      }),
    ),
    name,
    tenantId: Type.Optional(
      int64({ description: 'Tenant that it belongs to; absent means that of the caller', examples: [1] }),
    ),
    type: Type.Optional(type),
    redirectUris: Type.Optional(redirectUris),
    ...changeable,
  },
  {
    $id: 'NewApplication',
    description: 'Absent fields have the presets of docs/single-sign-on.md',
    examples: [{ id: 'grafana', name: 'Grafana', redirectUris: ['https://grafana.example.com/login/generic_oauth'] }],
  },
)
export type NewApplication = Static<typeof NewApplication>

const ApplicationChange = Type.Object(
  {
    name: Type.Optional(name),
    redirectUris: Type.Optional(redirectUris),
    ...changeable,
  },
  {
    $id: 'ApplicationChange',
    [refusesNull]: true,
    description: 'Absent fields stay as they are; a list is the whole set',
    examples: [{ refreshTokens: 'session' }],
  },
)
export type ApplicationChange = Static<typeof ApplicationChange>

const NewSecret = Type.Object(
  {
    overlapDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 90,
        description: 'How many days the secret of before is taken, too; absent means none',
        examples: [7],
      }),
    ),
  },
  { $id: 'NewSecret' },
)

const claims = (description: string) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Record(Type.String(), Type.Unknown(), { description, examples: [{ sub: '2', name: 'Alice' }] }),
  )
const ApplicationClaims = Type.Object(
  {
    // Not `enum`: what may be null has no name of its own in the document.
    refusal: nullable(Type.Unsafe<(typeof refusals)[number]>(Type.String()), {
      description:
        'Why the user cannot use it: `account` may not sign in at all, `tenant` is not one of its own, `role`: has none that it needs; null: can',
      examples: [null],
    }),
    idToken: claims('Claims of the ID token'),
    userinfo: claims('Claims of userinfo'),
    leftOut: Type.Array(
      Type.Object({
        claim: Type.String({ examples: ['email'] }),
        reason: oneWord(omissions, {
          title: 'ClaimOmission',
          description: 'Why',
          examples: ['not_verified'],
        }),
      }),
      { description: 'What it does not get' },
    ),
  },
  { $id: 'ApplicationClaims', description: 'What an application would get to know of a user now' },
)

export {
  ApplicationChange,
  ApplicationClaims,
  ApplicationPage,
  ApplicationRecord,
  ApplicationSecret,
  NewApplication,
  NewSecret,
}
export const ClaimsQuery = Type.Object({ userId: int64({ minimum: 1, description: 'Id of the user', examples: [2] }) })

export { ApplicationGrantList, ConsentRequest, Continuation, InteractionDetails }
export const ForwardQuery = Type.Object({
  proxy: Type.Optional(
    oneWord(['nginx'], {
      title: 'ForwardProxy',
      description: 'A proxy that follows no redirect of this answer: it gets 401 with `Location` instead of 302',
      examples: ['nginx'],
    }),
  ),
})
export const ClientParameters = Type.Object({ id: clientId })
export const InteractionParameters = Type.Object({ uid: Type.String({ pattern: '^[\\w-]{10,100}$' }) })
export const components = {
  Application,
  ApplicationGrant,
  ApplicationGrantList,
  InteractionDetails,
  ConsentRequest,
  Continuation,
  ApplicationRecord,
  ApplicationSecret,
  ApplicationPage,
  NewApplication,
  ApplicationChange,
  NewSecret,
  ApplicationClaims,
}
