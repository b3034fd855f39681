import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { Store } from '../../db/repositories/store.js'
import type { User } from '../../db/repositories/users.js'
import { jsonReader } from '../../lib/json-reader.js'
import type { Language } from '../../schemas/problems.js'
import type { Settings } from '../../schemas/settings.js'
import type { TriedCode } from '../attempts/attempt.js'
import { invalidField, problem } from '../../lib/problem.js'
import { randomId } from '../../lib/random-id.js'
import type { Channel } from './channels.js'
import type { Delivery } from './delivery.js'
import type { Admission, SendingLimits } from './sending-limits.js'

/** What a code is bound to. */
export interface Binding {
  tenantId: number
  userClient: string
}

/** From where a code is asked for and tried. */
export interface Source {
  /** What is counted for the network address. */
  address: string
  /** The device, when the owner of the recipient has signed in on it before. */
  device?: string | undefined
}

export interface NewCode extends Binding {
  recipient: string
  source: Source
  language: Language
}

/** A code as somebody tries it. */
export interface CodeTry extends Binding {
  /** As submitted. */
  recipient: string
  /** That of the request for the code, when it is brought. */
  codeKey: string | undefined
  source: Source
}

const Stored = Type.Object({
  mac: Type.String(),
  isSolved: Type.Boolean(),
  lane: Type.Optional(Type.String()),
} satisfies Record<'mac' | keyof Admission, TSchema>)
type Stored = Static<typeof Stored>
const readJson = jsonReader(Stored)

interface Collaborators {
  store: Store
  delivery: Delivery
  limits: Pick<SendingLimits, 'forget'>
  settings: Settings['oneTimeCodes']
  secret: string
  service: string
}

const digits = 6
const keyPrefix = 'one-time-code:'

/** One-time codes for signing in, stored as keyed hashes. Each request has its own code: none ends that of somebody else. */
export const createCodes = ({ store, delivery, limits, settings, secret, service }: Collaborators) => {
  const mac = (text: string) => createHmac('sha256', secret).update(`one-time code\n${text}`).digest('base64url')
  const recipientKey = (channel: Channel, tenantId: number, recipient: string) =>
    `one-time-code:${channel.name}:${tenantId}:${mac(recipient)}`
  // Bound to purpose, tenant, recipient, request and client: a code for one place opens no other.
  const hashCode = (key: string, userClient: string, code: string) => mac(`sign-in\n${key}\n${userClient}\n${code}`)
  const codeEntry = (recipient: string, codeKey: string) => `${recipient}:${mac(codeKey)}`
  /** Where the key of the latest code from a source lies. */
  const sourceKeys = (recipient: string, { address, device }: Source) =>
    [device === undefined ? [] : [`${recipient}:of:device:${device}`], `${recipient}:of:address:${address}`].flat()
  const latestKey = (recipient: string) => `${recipient}:latest`
  const triesKey = (entry: string) => `${entry}:tries`

  const readRecipient = (channel: Channel, text: string): string => {
    const recipient = channel.normalise(text)
    if (recipient === undefined) throw invalidField(channel.field, channel.field)
    return recipient
  }

  /** Version 0.1.0 kept one code for a recipient, and of it only the hash. */
  const readStored = (text: string): Stored | undefined =>
    text.startsWith('{') ? readJson(text) : { mac: text, isSolved: false }

  /** The code that is tried: that of the key, else the latest from the same source, else the latest of all. */
  const find = async (channel: Channel, { recipient: text, tenantId, codeKey, source }: CodeTry) => {
    const recipient = readRecipient(channel, text)
    const key = recipientKey(channel, tenantId, recipient)
    const shown = codeKey?.startsWith(keyPrefix) ? codeEntry(key, codeKey) : undefined
    const places = [...sourceKeys(key, source), latestKey(key)]
    const entries = await store.getMany([...places, key, ...(shown === undefined ? [] : [shown])])
    const ofSource = sourceKeys(key, source).find((place) => entries.has(place))
    const isShown = shown !== undefined && entries.has(shown)
    const pointer = entries.get(ofSource ?? latestKey(key))?.value
    const entry = isShown ? shown : pointer === undefined ? key : codeEntry(key, pointer)
    const value = entries.get(entry)?.value ?? (await store.get(entry))
    const read = value === undefined ? undefined : readStored(value)
    const stored = read && { text: value, ...read }
    return { recipient, entry, stored, isShown, isOwn: isShown || ofSource !== undefined }
  }

  const kindOf = ({ stored, isOwn }: Awaited<ReturnType<typeof find>>): TriedCode['kind'] => {
    if (!stored) return 'none'
    if (!isOwn) return 'unbound'
    return stored.isSolved ? 'solved' : 'open'
  }

  return {
    readRecipient,
    recipientKey,

    /**
     * Sends a code to whoever has this number or address; nobody else gets a message, and nothing in the answer or its
     * time tells the difference. Resolves to the code and its key. Throws `unavailable`.
     */
    async send(
      channel: Channel,
      { recipient, tenantId, userClient, source, language }: NewCode,
      admission: Admission,
    ): Promise<{ code: string; codeKey: string }> {
      const key = recipientKey(channel, tenantId, recipient)
      const user = await channel.find(tenantId, recipient)
      const code = String(randomInt(10 ** digits)).padStart(digits, '0')
      const codeKey = `${keyPrefix}${randomId()}`
      const entry = codeEntry(key, codeKey)
      const stored: Stored = { mac: hashCode(entry, userClient, code), ...admission }
      const ttl = settings.ttl * 1000
      // Stored for nobody too: the work is the same.
      await store.set(entry, JSON.stringify(stored), ttl)
      for (const place of [...sourceKeys(key, source), latestKey(key)]) await store.set(place, codeKey, ttl)
      if (user) {
        const message = { code, language, service, minutes: Math.floor(settings.ttl / 60) }
        delivery.enqueue(channel.name, () => channel.deliver(user, recipient, message))
      }
      return { code, codeKey }
    },

    /** How a try of a code is to be counted. */
    async describe(channel: Channel, tried: CodeTry): Promise<TriedCode> {
      const found = await find(channel, tried)
      const isFirst = (await store.get(triesKey(found.entry))) === undefined
      return { kind: kindOf(found), isFirst, shownKey: found.isShown ? mac(found.entry) : undefined }
    },

    /**
     * The user whose code this is; uses the code up. `isFirst` is what `describe` said. Throws `invalid_code`, and
     * `too_many_attempts` for tries in parallel that all claim to be the first.
     */
    async verify(channel: Channel, tried: CodeTry, code: string, isFirst: boolean): Promise<User> {
      const { recipient, entry, stored, isShown, isOwn } = await find(channel, tried)
      const count = async (key: string) => (await store.increment(key, 1, settings.ttl * 1000)).count
      // Counted before the compare: parallel guesses get no more than one after the other.
      if (isOwn && (await count(triesKey(entry))) > 1 && isFirst) throw problem('too_many_attempts', { retryAfter: 1 })
      // Who cannot show the key does not use up the tries of who can, nor who never asked for a code those of either.
      const tries = isOwn ? await count(`${triesKey(entry)}:${isShown ? 'with' : 'without'}-key`) : 0
      const user = await channel.find(tried.tenantId, recipient)
      const expected = Buffer.from(stored?.mac ?? '')
      const actual = Buffer.from(hashCode(entry, tried.userClient, code.trim()))
      const matches = expected.length === actual.length && timingSafeEqual(expected, actual)
      if (!stored || !matches || !user || tries > settings.tries) throw problem('invalid_code')
      // Of parallel right tries exactly one takes the code; a newer code must not be taken in its place.
      const taken = await store.take(entry)
      if (taken !== stored.text) throw problem('invalid_code')
      await limits.forget(stored.lane)
      return user
    },
  }
}

export type Codes = ReturnType<typeof createCodes>
