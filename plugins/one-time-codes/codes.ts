import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Store } from '../../db/store.js'
import type { User } from '../../db/users.js'
import type { Language } from '../../schemas/problems.js'
import type { Settings } from '../../schemas/settings.js'
import type { Clock } from '../clock.js'
import { invalidField, problem } from '../errors/problem.js'
import type { Channel } from './channels.js'
import type { Delivery } from './delivery.js'

/** What a code is bound to. */
export interface Binding {
  tenantId: number
  userClient: string
}

export interface CodeOrder extends Binding {
  /** As submitted. */
  recipient: string
  /** Network address of whoever asks. */
  address: string
  language: Language
}

interface Collaborators {
  store: Store
  clock: Clock
  delivery: Delivery
  settings: Settings['oneTimeCodes']
  countAddresses: boolean
  /** What is counted for a network address. */
  addressKey: (address: string) => string
  secret: string
  service: string
}

const digits = 6
const day = 24 * 3600 * 1000

/** One-time codes for signing in: one live code for each recipient, stored as a keyed hash. */
export const createCodes = ({
  store,
  clock,
  delivery,
  settings,
  countAddresses,
  addressKey,
  secret,
  service,
}: Collaborators) => {
  const mac = (text: string) => createHmac('sha256', secret).update(`one-time code\n${text}`).digest('base64url')
  const keyOf = (channel: Channel, tenantId: number, recipient: string) =>
    `one-time-code:${channel.name}:${tenantId}:${mac(recipient)}`
  // Bound to purpose, tenant, recipient and client: a code for one place opens no other.
  const hashCode = (key: string, userClient: string, code: string) => mac(`sign-in\n${key}\n${userClient}\n${code}`)

  const readRecipient = (channel: Channel, text: string): string => {
    const recipient = channel.normalise(text)
    if (recipient === undefined) throw invalidField(channel.field, channel.field)
    return recipient
  }

  const tooSoon = (until: number) => {
    const interval = Math.max(1, Math.ceil((until - clock.now()) / 1000))
    return problem('too_many_requests', { retryAfter: interval, data: { status: 'fail', interval } })
  }

  /** Counts before it sends, so that failed sends count too and parallel orders send one message. */
  const countOrder = async (key: string, address: string) => {
    const pause = await store.increment(`${key}:pause`, 1, settings.interval * 1000)
    if (pause.count > 1) throw tooSoon(pause.expiry)
    const today = await store.increment(`${key}:day`, 1, day)
    if (today.count > settings.recipientPerDay) throw tooSoon(today.expiry)
    if (!countAddresses) return
    const here = await store.increment(`one-time-code:address:${addressKey(address)}:day`, 1, day)
    if (here.count > settings.addressPerDay) throw tooSoon(here.expiry)
  }

  return {
    interval: settings.interval,

    /**
     * Sends a code to whoever has this number or address; nobody else gets a message, and nothing in the answer or its
     * time tells the difference. Resolves to the code. Throws `invalid_request`, `too_many_requests`, `unavailable`.
     */
    async send(channel: Channel, order: CodeOrder): Promise<string> {
      const { tenantId, userClient, address, language } = order
      const recipient = readRecipient(channel, order.recipient)
      const key = keyOf(channel, tenantId, recipient)
      delivery.checkRoom()
      await countOrder(key, address)
      const user = await channel.find(tenantId, recipient)
      const code = String(randomInt(10 ** digits)).padStart(digits, '0')
      // Stored for nobody too: the work is the same.
      await store.set(key, hashCode(key, userClient, code), settings.ttl * 1000)
      await store.delete([`${key}:tries`])
      if (user) {
        const message = { code, language, service, minutes: Math.floor(settings.ttl / 60) }
        delivery.enqueue(channel.name, () => channel.deliver(user, recipient, message))
      }
      return code
    },

    /** The user whose code this is; uses the code up. Throws `invalid_code`. */
    async verify(channel: Channel, submitted: string, code: string, { tenantId, userClient }: Binding): Promise<User> {
      const recipient = readRecipient(channel, submitted)
      const key = keyOf(channel, tenantId, recipient)
      // Counted before the compare: parallel guesses get no more than one after the other.
      const tries = await store.increment(`${key}:tries`, 1, settings.ttl * 1000)
      const stored = await store.get(key)
      const user = await channel.find(tenantId, recipient)
      const expected = Buffer.from(stored ?? '')
      const actual = Buffer.from(hashCode(key, userClient, code.trim()))
      const matches = expected.length === actual.length && timingSafeEqual(expected, actual)
      if (!matches || !user || tries.count > settings.tries) throw problem('invalid_code')
      // Of parallel right tries exactly one takes the code; a newer code must not be taken in its place.
      const taken = await store.take(key)
      if (taken !== stored) throw problem('invalid_code')
      return user
    },
  }
}

export type Codes = ReturnType<typeof createCodes>
