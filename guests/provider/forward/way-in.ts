import { hash, timingSafeEqual } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { AdapterPayload } from 'oidc-provider'
import type { Clock } from '../../../lib/clock.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { Encryption } from '../../../plugins/run/encryption/encryption.js'
import type { Client } from '../repositories/clients.js'
import type { Visit } from '../repositories/visits.js'
import type { Places } from './places.js'

interface Collaborators {
  issuer: string
  places: Places
  clock: Clock
  encryption: Encryption
  takeCode: (code: string) => Promise<AdapterPayload | undefined>
}

const purpose = 'sign-in to a protected host'
/** Of an authorization request: another person is to sign in. Its value is not read. */
export const otherParameter = 'rollcall_other'
/** A sign-in that takes longer begins again. Seconds. */
export const wayInLife = 600
const second = 1000

const State = Type.Object({
  /** SHA-256 of the key of the browser that began. */
  key: Type.String(),
  host: Type.String(),
  /** Where the person goes on. */
  target: Type.String(),
  expiry: Type.Number(),
})
export type State = Static<typeof State>
const readState = jsonReader(State)

const digest = (text: string): string => hash('sha256', text, 'base64url')
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Begins at a protected host, of which a browser comes with this key. */
export interface Beginning {
  host: string
  key: string
  target: string
  /** Whether another person is to sign in, or the same once more. */
  again?: 'anybody' | 'other' | undefined
}

/**
 * The way from a protected host to the sign-in and back: an authorization request whose client is Rollcall itself. What has to be remembered
 * meanwhile is in the parameter `state`, encrypted, so that nobody fills a table by asking.
 */
export const createWayIn = ({ issuer, places, clock, encryption, takeCode }: Collaborators) => {
  const base = issuer.replace(/\/$/, '')
  return {
    /** The address of the sign-in. */
    begin({ id, scopes, maxAge }: Client, { host, key, target, again }: Beginning): string {
      const content: State = { key: digest(key), host, target, expiry: clock.now() + wayInLife * second }
      const state = encryption.encrypt(JSON.stringify(content), purpose)
      const query = new URLSearchParams({
        ...{ client_id: id, redirect_uri: places.callback(host), response_type: 'code', scope: scopes.join(' ') },
        // A code that was made for another browser is of no use with this state.
        ...{ state, nonce: digest(state) },
        ...(maxAge !== null && { max_age: String(maxAge) }),
        ...(again && { prompt: 'login' }),
        ...(again === 'other' && { [otherParameter]: '1' }),
      })
      return `${base}/oidc/authorize?${query.toString()}`
    },

    /** What was begun at this host; undefined for any other text, and after its time. */
    read(state: string, host: string): State | undefined {
      const content = readState(encryption.tryDecrypt(state, purpose) ?? '')
      return content?.host === host && content.expiry > clock.now() ? content : undefined
    },

    isOfBrowser: ({ key }: State, given: string | undefined): boolean =>
      given !== undefined && isSame(key, digest(given)),

    /** Who has signed in; undefined for a code that is not the answer to this state, or was used already. */
    async end(
      client: Client,
      state: string,
      host: string,
      code: string,
    ): Promise<Omit<Visit, 'idHash' | 'createTime' | 'expiry'> | undefined> {
      const taken = await takeCode(code)
      const { clientId, redirectUri, nonce, accountId, sessionUid, grantId } = taken ?? {}
      if (clientId !== client.id || redirectUri !== places.callback(host) || nonce !== digest(state)) return undefined
      if (typeof sessionUid !== 'string' || accountId === undefined || grantId === undefined) return undefined
      return { sessionId: sessionUid, clientId: client.id, userId: Number(accountId), grantId }
    },
  }
}

export type WayIn = ReturnType<typeof createWayIn>
