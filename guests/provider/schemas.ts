import { Type, type Static } from '@sinclair/typebox'
import { nullable, oneWord, ref, time } from '../../schemas/ref.js'

const clientId = Type.String({ maxLength: 100, description: 'Id of the application', examples: ['grafana'] })
const scopes = Type.Array(Type.String(), {
  description: 'What it gets to know, by scope',
  examples: [['openid', 'profile']],
})

const Application = Type.Object(
  { id: clientId, name: Type.String({ examples: ['Grafana'] }) },
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

export { ApplicationGrantList, ConsentRequest, Continuation, InteractionDetails }
export const GrantParameters = Type.Object({ id: clientId })
export const InteractionParameters = Type.Object({ uid: Type.String({ pattern: '^[\\w-]{10,100}$' }) })
export const components = {
  Application,
  ApplicationGrant,
  ApplicationGrantList,
  InteractionDetails,
  ConsentRequest,
  Continuation,
}
