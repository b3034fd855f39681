import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider'
import type { Database } from '../../../db/index.js'
import type { Clock } from '../../../lib/clock.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { Encryption } from '../../../plugins/run/encryption/encryption.js'
import type { Places } from '../forward/places.js'
import type { Grant } from '../repositories/grants.js'
import { spellingsOf, splitScopes } from '../resources.js'
import { toMetadata } from './client-metadata.js'

export interface Storage {
  db: Database
  clock: Clock
  encryption: Encryption
  /** Milliseconds for which a used refresh token is taken again. */
  refreshGrace: number
  places: Places
}

const second = 1000
/** Tokens of a user, of each kind: an application that asks often ends none of its own refresh tokens. */
const maxTokens = 500
const readPayload = jsonReader(Type.Record(Type.String(), Type.Unknown()))

const toNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null

/** Kind and token together: a token of one kind is never found as one of another. */
const hashOf = (kind: string, id: string): string => hash('sha256', `${kind} ${id}`, 'base64url')
const purposeOf = (idHash: string): string => `provider entry ${idHash}`

/** Codes, tokens and sign-ins under way: by hash, with an encrypted payload. */
export const createEntryAdapter = (
  kind: string,
  { db, clock, encryption, refreshGrace }: Storage,
): Pick<Adapter, 'find' | 'upsert' | 'consume' | 'destroy' | 'revokeByGrantId'> & {
  /** As it is, also after its use, and when it expires, epoch milliseconds. */
  read: (id: string) => Promise<{ payload: AdapterPayload; expiry: number } | undefined>
  /** Uses it; undefined where it is used already, also by somebody who was faster. */
  take: (id: string) => Promise<AdapterPayload | undefined>
} => {
  const find = async (id: string) => {
    const entry = await db.providerEntries.find(hashOf(kind, id))
    if (!entry || entry.expiry <= clock.now()) return undefined
    const text = encryption.tryDecrypt(entry.encryptedPayload, purposeOf(entry.idHash))
    const payload: AdapterPayload | undefined = text === undefined ? undefined : readPayload(text)
    return payload && { entry, payload }
  }
  const isOffline = async (clientId = '') => (await db.providerClients.find(clientId))?.refreshTokens === 'offline'
  return {
    async read(id) {
      const found = await find(id)
      return found && { payload: found.payload, expiry: found.entry.expiry }
    },

    async take(id) {
      const found = await find(id)
      if (found?.entry.consumedTime !== null) return undefined
      return (await db.providerEntries.consume(found.entry.idHash, clock.now())) ? found.payload : undefined
    },

    async find(id) {
      const found = await find(id)
      if (!found) return undefined
      const { entry, payload } = found
      const used = entry.consumedTime
      const isInGrace = kind === 'RefreshToken' && used !== null && clock.now() - used <= refreshGrace
      return used === null || isInGrace ? payload : { ...payload, consumed: Math.floor(used / second) }
    },

    async upsert(id, payload, expiresIn = 0) {
      const idHash = hashOf(kind, id)
      await db.providerEntries.put({
        idHash,
        kind,
        encryptedPayload: encryption.encrypt(JSON.stringify(payload), purposeOf(idHash)),
        grantId: payload.grantId ?? null,
        clientId: payload.clientId ?? null,
        userId: toNumber(payload.accountId),
        sessionId: typeof payload.sessionUid === 'string' ? payload.sessionUid : null,
        isOffline: kind === 'RefreshToken' && (await isOffline(payload.clientId)),
        createTime: clock.now(),
        expiry: clock.now() + expiresIn * second,
      })
      // Each exchange and refresh makes one: whoever asks for ever has the latest.
      const userId = toNumber(payload.accountId)
      if ((kind === 'AccessToken' || kind === 'RefreshToken') && userId !== null)
        await db.providerEntries.trim(userId, kind, maxTokens)
    },

    async consume(id) {
      const idHash = hashOf(kind, id)
      if (await db.providerEntries.consume(idHash, clock.now())) return
      // The library looked before: of requests at the same time one has won. A refresh token may come twice within its grace.
      if (kind === 'RefreshToken') return
      const entry = await db.providerEntries.find(idHash)
      if (entry?.grantId) await db.providerEntries.removeOfGrant(entry.grantId)
      throw new errors.InvalidGrant('authorization code already consumed')
    },

    async destroy(id) {
      await db.providerEntries.remove(hashOf(kind, id))
    },

    async revokeByGrantId(grantId) {
      await db.providerEntries.removeOfGrant(grantId)
    },
  }
}

/** The library reads the clock of the machine: it gets what is left by ours. */
const toGrantPayload = ({ id, userId, clientId, scopes, expiry }: Grant, now: number): AdapterPayload => {
  const iat = Math.floor(Date.now() / second)
  const exp = iat + Math.floor((expiry - now) / second)
  const { own, at } = splitScopes(scopes)
  const resources = Object.fromEntries(
    [...at].flatMap(([resource, names]) => spellingsOf(resource).map((spelling) => [spelling, names.join(' ')])),
  )
  const given = { openid: { scope: own.join(' ') }, resources }
  return { kind: 'Grant', jti: id, accountId: String(userId), clientId, ...given, iat, exp }
}

const refuseWrites = (): never => {
  throw new Error('The library writes neither clients nor grants')
}

const createGrantAdapter = ({ db, clock }: Storage): Pick<Adapter, 'find' | 'destroy'> => ({
  async find(id) {
    const grant = await db.providerGrants.find(id)
    return grant && grant.expiry > clock.now() ? toGrantPayload(grant, clock.now()) : undefined
  },
  destroy: (id) => db.providerGrants.remove(id),
})

const createClientAdapter = ({ db, places }: Storage): Pick<Adapter, 'find'> => ({
  async find(id) {
    const client = await db.providerClients.find(id)
    return client && toMetadata(client, places)
  },
})

/** What the library stores, by the name of its model. */
export const createAdapters =
  (storage: Storage) =>
  (name: string): Adapter => {
    const others = {
      upsert: refuseWrites,
      consume: refuseWrites,
      destroy: refuseWrites,
      revokeByGrantId: refuseWrites,
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    }
    if (name === 'Client') return { ...others, ...createClientAdapter(storage) }
    if (name === 'Grant') return { ...others, ...createGrantAdapter(storage) }
    return { ...others, ...createEntryAdapter(name, storage) }
  }
