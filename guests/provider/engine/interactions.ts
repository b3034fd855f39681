import { Type } from '@sinclair/typebox'
import type { AdapterPayload } from 'oidc-provider'
import type { SessionOwner } from '../../../db/repositories/session-owner.js'
import type { Clock } from '../../../lib/clock.js'
import { jsonReader } from '../../../lib/json-reader.js'
import { refusalOf } from '../person.js'
import type { Client } from '../repositories/clients.js'
import type { Resources } from '../resources.js'
import type { Resource } from '../settings.js'
import type { createEntryAdapter } from './adapter.js'

/** Why somebody is asked, by the names of the library and of `policy.ts`. */
export type InteractionReason =
  'no_session' | 'login_prompt' | 'max_age' | 'id_token_hint' | 'acr' | 'access' | 'consent'

/** A request of an application that waits for a person. */
export interface Interaction {
  uid: string
  client: Client
  params: Partial<Record<string, string>>
  /** The services at which it wants to be let in. */
  resources: Resource[]
  /** When it began, epoch milliseconds. */
  startTime: number
  /** Whether it waits for a sign-in or for a consent. */
  prompt: 'login' | 'consent'
  reasons: InteractionReason[]
  /** What the application wants to know, and at services to do, as `resources.ts` keeps it. */
  scopes: string[]
  /** Where it goes on. */
  returnTo: string
  /** The user whose token was shown as a hint. */
  hintedUser: string | undefined
}

interface Payload extends Omit<AdapterPayload, 'prompt' | 'session' | 'result'> {
  returnTo: string
  prompt: { name: string; reasons: string[] }
  params: Partial<Record<string, string>> & { resource?: string | string[] }
  session?: { uid?: string; accountId?: string }
  result?: object
}

interface Collaborators {
  entries: ReturnType<typeof createEntryAdapter>
  findClient: (id: string) => Promise<Client | undefined>
  resources: Pick<Resources, 'named' | 'wanted'>
  clock: Clock
}

const second = 1000
/** A sign-in that takes longer begins again at the application. Seconds. */
export const interactionLife = 3600

const readClaims = jsonReader(Type.Object({ sub: Type.String() }))

/** The library has verified the token before it began the interaction. */
const subjectOf = (idToken: string | undefined): string | undefined => {
  const [, claims = ''] = idToken?.split('.') ?? []
  return readClaims(Buffer.from(claims, 'base64url').toString())?.sub
}

export const createInteractions = ({ entries, findClient, resources, clock }: Collaborators) => {
  const read = async (uid: string): Promise<{ payload: Payload; expiry: number } | undefined> => {
    const found = await entries.read(uid)
    return found && { payload: found.payload as unknown as Payload, expiry: found.expiry }
  }

  /** Stores what comes of an interaction, which lives no longer for it. */
  const settle = async (uid: string, resultOf: (payload: Payload) => object): Promise<void> => {
    const found = await read(uid)
    if (!found) return
    const { payload, expiry } = found
    const result = resultOf(payload)
    await entries.upsert(uid, { ...payload, result } as unknown as AdapterPayload, (expiry - clock.now()) / second)
  }

  return {
    /** Undefined for one that is over, used or unknown. */
    async find(uid: string): Promise<Interaction | undefined> {
      const found = await read(uid)
      const client = found && (await findClient(found.payload.params['client_id'] ?? ''))
      if (!client) return undefined
      const { params, prompt, returnTo } = found.payload
      return {
        ...{ uid, client, params, returnTo, prompt: prompt.name === 'consent' ? 'consent' : 'login' },
        scopes: resources.wanted(params, client),
        resources: resources.named(params.resource, client),
        startTime: found.expiry - interactionLife * second,
        reasons: prompt.name === 'consent' ? ['consent'] : (prompt.reasons as InteractionReason[]),
        hintedUser: subjectOf(params['id_token_hint']),
      }
    },

    /** What of the reasons a session does not answer yet. */
    missing(
      { reasons, client, params, resources: wanted, startTime, hintedUser }: Interaction,
      owner: SessionOwner,
    ): InteractionReason[] {
      const { session, user } = owner
      const isFresh = session.authTime >= startTime
      const maxAge = Number(params['max_age'] ?? Infinity) * second
      const isOpen: Record<InteractionReason, () => boolean> = {
        no_session: () => false,
        login_prompt: () => !isFresh,
        max_age: () => !isFresh && clock.now() - session.authTime > maxAge,
        id_token_hint: () => hintedUser !== undefined && hintedUser !== String(user.id),
        acr: () => session.acr !== 'aal2',
        access: () => false,
        consent: () => true,
      }
      const left = reasons.filter((reason) => isOpen[reason]())
      return refusalOf(client, owner, wanted) ? [...left, 'access'] : left
    },

    /** Lets the request go on for this person. */
    finish: ({ uid }: Interaction, { session, user }: SessionOwner): Promise<void> =>
      settle(uid, (payload) => {
        // Somebody has signed in meanwhile: the library would take that for an attack.
        if (payload.session?.uid !== session.id) delete payload.session
        const ts = Math.floor(session.authTime / second)
        return { login: { accountId: String(user.id), ts, acr: session.acr, amr: session.amr } }
      }),

    /** Lets the request go on with what the person has allowed; `grantId` is that of the session. */
    consent: ({ uid }: Interaction, grantId: string): Promise<void> =>
      settle(uid, (payload) => ({ ...(payload['lastSubmission'] as object | undefined), consent: { grantId } })),

    /** Lets the request end with a refusal, which the application is told. */
    refuse: ({ uid }: Interaction, error: string, description: string): Promise<void> =>
      settle(uid, () => ({ error, error_description: description })),
  }
}

export type Interactions = ReturnType<typeof createInteractions>
