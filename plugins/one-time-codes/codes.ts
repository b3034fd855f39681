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

/** A code is valid only for this tenant and client. */
export interface Binding {
  tenantId: number
  userClient: string
}

/** Where a request for a code or a try of a code comes from. */
export interface Source {
  /** Key of the network address. */
  address: string
  /** Id of the device if the owner of the recipient has signed in on it before. */
  device?: string | undefined
}

export interface NewCode extends Binding {
  recipient: string
  source: Source
  language: Language
}

/** A try of a code. */
export interface CodeTry extends Binding {
  /** As submitted. */
  recipient: string
  /** The `codeKey` that the request for the code returned, if the try sends it. */
  codeKey: string | undefined
  source: Source
}

const Stored = Type.Object({
  mac: Type.String(),
  isSolved: Type.Boolean(),
  throttleKey: Type.Optional(Type.String()),
} satisfies Record<'mac' | keyof Admission, TSchema>)
type Stored = Static<typeof Stored>
const readJson = jsonReader(Stored)

interface Collaborators {
  store: Store
  delivery: Delivery
  limits: Pick<SendingLimits, 'reset'>
  settings: Settings['oneTimeCodes']
  secret: string
  service: string
}

const digits = 6
const keyPrefix = 'one-time-code:'

/** One-time codes for signing in, stored as keyed hashes. Each request gets its own code and leaves earlier ones valid. */
export const createCodes = ({ store, delivery, limits, settings, secret, service }: Collaborators) => {
  const mac = (text: string) => createHmac('sha256', secret).update(`one-time code\n${text}`).digest('base64url')
  const recipientKey = (channel: Channel, tenantId: number, recipient: string) =>
    `one-time-code:${channel.name}:${tenantId}:${mac(recipient)}`
  // Bound to purpose, tenant, recipient, request and client, so that a code cannot be used in another context.
  const hashCode = (key: string, userClient: string, code: string) => mac(`sign-in\n${key}\n${userClient}\n${code}`)
  const codeEntry = (recipient: string, codeKey: string) => `${recipient}:${mac(codeKey)}`
  /** Store keys that hold the code key of the latest code from a source. */
  const sourceKeys = (recipient: string, { address, device }: Source) =>
    [device === undefined ? [] : [`${recipient}:of:device:${device}`], `${recipient}:of:address:${address}`].flat()
  const latestKey = (recipient: string) => `${recipient}:latest`
  const triesKey = (entry: string) => `${entry}:tries`

  const readRecipient = (channel: Channel, text: string): string => {
    const recipient = channel.normalise(text)
    if (recipient === undefined) throw invalidField(channel.field, channel.field)
    return recipient
  }

  /** Version 0.1.0 stored one code for each recipient, as a bare hash. */
  const readStored = (text: string): Stored | undefined =>
    text.startsWith('{') ? readJson(text) : { mac: text, isSolved: false }

  /** The tried code: the one with the submitted key, else the latest from the same source, else the latest of all. */
  const find = async (channel: Channel, { recipient: text, tenantId, codeKey, source }: CodeTry) => {
    const recipient = readRecipient(channel, text)
    const key = recipientKey(channel, tenantId, recipient)
    const shown = codeKey?.startsWith(keyPrefix) ? codeEntry(key, codeKey) : undefined
    const pointers = [...sourceKeys(key, source), latestKey(key)]
    const entries = await store.getMany([...pointers, key, ...(shown === undefined ? [] : [shown])])
    const ofSource = sourceKeys(key, source).find((pointerKey) => entries.has(pointerKey))
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
     * Creates a code and, if an account has this number or address, sends it. Without an account the result and the time
     * are the same, so that they do not show which accounts exist. Resolves to the code and its key.
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
      // Stored without an account too, so that the time is the same.
      await store.set(entry, JSON.stringify(stored), ttl)
      for (const pointerKey of [...sourceKeys(key, source), latestKey(key)]) await store.set(pointerKey, codeKey, ttl)
      if (user) {
        const message = { code, language, service, minutes: Math.floor(settings.ttl / 60) }
        delivery.enqueue(channel.name, () => channel.deliver(user, recipient, message))
      }
      return { code, codeKey }
    },

    /** Describes a try for the throttle counters. */
    async describe(channel: Channel, tried: CodeTry): Promise<TriedCode> {
      const found = await find(channel, tried)
      const isFirst = (await store.get(triesKey(found.entry))) === undefined
      return { kind: kindOf(found), isFirst, shownKey: found.isShown ? mac(found.entry) : undefined }
    },

    /**
     * Verifies a code, which can be used once, and resolves to its user. `isFirst` comes from `describe`. Throws
     * `invalid_code`, and `too_many_attempts` for parallel tries that were all described as the first.
     */
    async verify(channel: Channel, tried: CodeTry, code: string, isFirst: boolean): Promise<User> {
      const { recipient, entry, stored, isShown, isOwn } = await find(channel, tried)
      const count = async (key: string) => (await store.increment(key, 1, settings.ttl * 1000)).count
      // Counted before the comparison: parallel guesses get no more tries than guesses one after the other.
      if (isOwn && (await count(triesKey(entry))) > 1 && isFirst) throw problem('too_many_attempts', { retryAfter: 1 })
      // Tries with and without the code key have separate limits. Tries from a source that did not request a code count
      // against neither, so that an attacker cannot use up the tries of the owner.
      const tries = isOwn ? await count(`${triesKey(entry)}:${isShown ? 'with' : 'without'}-key`) : 0
      const user = await channel.find(tried.tenantId, recipient)
      const expected = Buffer.from(stored?.mac ?? '')
      const actual = Buffer.from(hashCode(entry, tried.userClient, code.trim()))
      const matches = expected.length === actual.length && timingSafeEqual(expected, actual)
      if (!stored || !matches || !user || tries > settings.tries) throw problem('invalid_code')
      // Of parallel correct tries exactly one takes the code. A newer code must not be taken instead.
      const taken = await store.take(entry)
      if (taken !== stored.text) throw problem('invalid_code')
      await limits.reset(stored.throttleKey)
      return user
    },
  }
}

export type Codes = ReturnType<typeof createCodes>
