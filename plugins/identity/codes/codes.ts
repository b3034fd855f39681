import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { foldCode } from '../../../lib/fold-code.js'
import { jsonReader } from '../../../lib/json-reader.js'
import type { Language } from '../../../schemas/problems.js'
import type { TriedCode } from '../../throttle/attempts/attempt.js'
import type { InvitationValues } from '../../record/notices/code-parts.js'
import type { CodePurpose } from '../../record/notices/texts.js'
import { problem } from '../../../lib/problem.js'
import { randomId } from '../../../lib/random-id.js'
import type { Channel } from './channels.js'
import type { Delivery } from './delivery.js'
import type { SendingPermit, SendingLimits } from '../../throttle/sending-limits.js'

/** A code is valid only for this purpose, tenant and recipient. */
interface Binding {
  purpose: CodePurpose
  tenantId: number
  /** In its normalised form; a new contact in its exact form, because a code proves only the address it was sent to. */
  recipient: string
  /** Who may use the code: for a sign-in the kind of client, for a new contact the user. */
  boundTo: string
}

/** Where a request for a code or a try of a code comes from. */
export interface Source {
  /** Key of the network address. */
  address: string
  /** Id of the device if the owner of the recipient has signed in on it before. */
  device?: string | undefined
}

/** The contact that a code is sent to. */
export interface CodeContact {
  to: string
  /** The account whose contact it is; absent for a contact that is to be stored. */
  userId?: number
  /** The user name that the message says, in messages to the owner of an account only. */
  username?: string
}

export interface NewCode extends Binding {
  /** Undefined for a code that was not requested by its recipient, such as that of an invitation. */
  source: Source | undefined
  language: Language
  /** What an invitation says beside the code. */
  invitation?: InvitationValues
  /** Called when the message could not be delivered, with the time at which it was to be sent, epoch milliseconds. */
  failed?: (time: number) => Promise<void>
  /** Finds the contact to send to; undefined sends nothing. */
  findContact: () => Promise<CodeContact | undefined>
}

/** A try of a code. */
export interface CodeTry extends Binding {
  /** The `codeKey` that the request for the code returned, if the try sends it. */
  codeKey: string | undefined
  source: Source
}

/** A correct code that has not been used yet. */
export interface CorrectCode {
  /**
   * Throws `invalid_code` if the contact was that of another account when the code was sent, or if the password of the account has changed
   * since then.
   */
  checkOwner: (user: Pick<User, 'id' | 'passwordHash' | 'passwordTime'>) => void
  /** Uses the code up. Throws `invalid_code` if another request was faster. */
  take: () => Promise<void>
}

/** A tried code that was looked up. */
export interface FoundCode {
  /** What the throttle counters need to know. */
  tried: TriedCode
  /**
   * Checks the code, which can be used once; the caller then takes it. Throws `invalid_code`, and `too_many_attempts` for
   * parallel tries that were all found to be the first.
   */
  check: (code: string) => Promise<CorrectCode>
}

const Stored = Type.Object({
  mac: Type.String(),
  isSolved: Type.Boolean(),
  throttleKey: Type.Optional(Type.String()),
  time: Type.Number({ description: 'When the code was sent, epoch milliseconds' }),
  userId: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'The account that had the contact then; null for none. Codes of earlier versions say nothing',
    }),
  ),
} satisfies Record<'mac' | 'time' | 'userId' | keyof SendingPermit, TSchema>)
type Stored = Static<typeof Stored>
const readStored = jsonReader(Stored)

const digits = 6
const keyPrefix = 'one-time-code:'
/** Validity of the code of an invitation, which nobody waits for. Seconds. */
const invitationTtl = 24 * 3600

/** One-time codes, stored as keyed hashes. Each request gets its own code and leaves earlier ones valid. */
export const createCodes = (
  { clock, installation, store }: Needs<'clock' | 'installation' | 'store'>,
  delivery: Delivery,
  limits: Pick<SendingLimits, 'reset'>,
) => {
  const { secret } = installation
  const settings = installation.settings.oneTimeCodes
  const mac = (text: string) => createHmac('sha256', secret).update(`one-time code\n${text}`).digest('base64url')
  /** Each purpose has entries of its own, so that a code for one of them does not replace that for another. */
  const recipientKey = (channel: Channel, { purpose, tenantId, recipient }: Binding) =>
    `one-time-code:${purpose === 'sign-in' ? '' : `${purpose}:`}${channel.name}:${tenantId}:${mac(recipient)}`
  // Bound to purpose, tenant, recipient, request and holder, so that a code cannot be used in another context.
  const hashCode = (key: string, { purpose, boundTo }: Binding, code: string) =>
    mac(`${purpose}\n${key}\n${boundTo}\n${code}`)
  const codeEntry = (recipient: string, codeKey: string) => `${recipient}:${mac(codeKey)}`
  /** The entry that a pointer names. Version 0.3.0 stored the code key itself. */
  const entryAt = (recipient: string, pointer: string) =>
    pointer.startsWith(keyPrefix) ? codeEntry(recipient, pointer) : `${recipient}:${pointer}`
  /** Store keys that hold the MAC of the code key of the latest code from a source. */
  const sourceKeys = (recipient: string, { address, device }: Source) =>
    [device === undefined ? [] : [`${recipient}:of:device:${device}`], `${recipient}:of:address:${address}`].flat()
  const latestKey = (recipient: string) => `${recipient}:latest`
  const triesKey = (entry: string) => `${entry}:tries`

  const ttlOf = (purpose: CodePurpose) => (purpose === 'invitation' ? invitationTtl : settings.ttl)

  /** Throws `invalid_request` for `field`. */
  const readRecipient = (channel: Channel, text: string, field: string = channel.field): string => {
    const recipient = channel.normalise(text)
    if (recipient === undefined) throw channel.fault(field)
    return recipient
  }

  /** The tried code: the one with the submitted key, else the latest from the same source, else the latest of all. */
  const findOfPurpose = async (channel: Channel, tried: CodeTry) => {
    const { codeKey, source } = tried
    const key = recipientKey(channel, tried)
    const shown = codeKey?.startsWith(keyPrefix) ? codeEntry(key, codeKey) : undefined
    const pointers = [...sourceKeys(key, source), latestKey(key)]
    const entries = await store.getMany([...pointers, ...(shown === undefined ? [] : [shown])])
    const ofSource = sourceKeys(key, source).find((pointerKey) => entries.has(pointerKey))
    const isShown = shown !== undefined && entries.has(shown)
    const pointer = entries.get(ofSource ?? latestKey(key))?.value
    const entry = isShown ? shown : pointer === undefined ? key : entryAt(key, pointer)
    const value = entries.get(entry)?.value ?? (await store.get(entry))
    const read = value === undefined ? undefined : readStored(value)
    const stored = read && { text: value, ...read }
    return { binding: tried as Binding, entry, stored, isShown, isOwn: isShown || ofSource !== undefined }
  }

  type Found = Awaited<ReturnType<typeof findOfPurpose>>

  /** The code that a client is held to, and another that is as good for it: a password can be set with the code of an invitation, too. */
  const findStored = async (channel: Channel, tried: CodeTry): Promise<{ found: Found; other?: Found }> => {
    const found = await findOfPurpose(channel, tried)
    if (tried.purpose !== 'password-reset') return { found }
    const invited = await findOfPurpose(channel, { ...tried, purpose: 'invitation' })
    if (!invited.stored) return { found }
    return found.isOwn ? { found, other: invited } : { found: invited }
  }

  const isCodeOf = ({ binding, entry, stored }: Found, code: string): boolean => {
    const expected = Buffer.from(stored?.mac ?? '')
    const actual = Buffer.from(hashCode(entry, binding, foldCode(code)))
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  }

  const kindOf = ({ binding, stored, isOwn }: Found): TriedCode['kind'] => {
    // Counted alike whether or not there is a code: nobody but the recipient must learn who has been invited.
    const isInvitable = binding.purpose === 'password-reset' || binding.purpose === 'invitation'
    if (isInvitable && !isOwn) return 'unbound'
    if (!stored) return 'none'
    if (!isOwn) return 'unbound'
    return stored.isSolved ? 'solved' : 'open'
  }

  return {
    readRecipient,

    /**
     * Creates a code and, if there is a contact to send to, sends it. Without one the result and the time are the same, so
     * that they do not show which accounts exist. Resolves to the code and its key.
     */
    async send(channel: Channel, request: NewCode, permit: SendingPermit): Promise<{ code: string; codeKey: string }> {
      const { purpose, tenantId, source, language, invitation } = request
      const key = recipientKey(channel, request)
      const contact = await request.findContact()
      const code = String(randomInt(10 ** digits)).padStart(digits, '0')
      const codeKey = `${keyPrefix}${randomId()}`
      const entry = codeEntry(key, codeKey)
      const userId = contact?.userId ?? null
      const time = clock.now()
      const stored: Stored = { mac: hashCode(entry, request, code), ...permit, time, userId }
      const ttl = ttlOf(purpose)
      // Stored without a contact too, so that the time is the same.
      await store.set(entry, JSON.stringify(stored), ttl * 1000)
      const pointers = [...(source ? sourceKeys(key, source) : []), latestKey(key)]
      for (const pointerKey of pointers) await store.set(pointerKey, mac(codeKey), ttl * 1000)
      if (contact) {
        const { to, username } = contact
        const message = { purpose, code, language, ttl, expires: time + ttl * 1000, username, tenantId, to, invitation }
        delivery.enqueue(
          channel.name,
          () => channel.deliver(to, message),
          async () => request.failed?.(time),
        )
      }
      return { code, codeKey }
    },

    /**
     * Looks a tried code up: what the throttle counters need to know of it, and its check. Of parallel tries, each counts
     * itself, and one takes the code.
     */
    async find(channel: Channel, tried: CodeTry): Promise<FoundCode> {
      const { found, other } = await findStored(channel, tried)
      const { entry, isShown, isOwn } = found
      const isFirst = (await store.get(triesKey(entry))) === undefined
      const count = async (key: string) => (await store.increment(key, 1, settings.ttl * 1000)).count
      return {
        tried: { kind: kindOf(found), isFirst, shownKey: isShown ? mac(entry) : undefined },
        async check(code) {
          // Counted before the comparison: parallel guesses get no more tries than guesses one after the other.
          if (isOwn && (await count(triesKey(entry))) > 1 && isFirst)
            throw problem('too_many_attempts', { retryAfter: 1 })
          // Tries with and without the code key have separate limits. Tries from a source that did not request a code count
          // against neither, so that an attacker cannot use up the tries of the owner.
          const tries = isOwn ? await count(`${triesKey(entry)}:${isShown ? 'with' : 'without'}-key`) : 0
          const right = [found, other].find((one) => one && isCodeOf(one, code))
          if (!right?.stored || tries > settings.tries) throw problem('invalid_code')
          const { stored } = right
          return {
            checkOwner({ id, passwordHash, passwordTime }) {
              const isOther = stored.userId !== undefined && stored.userId !== id
              const hasChanged = passwordHash !== null && passwordTime !== null && passwordTime > stored.time
              if (isOther || hasChanged) throw problem('invalid_code')
            },
            async take() {
              // Of parallel correct tries exactly one takes the code. A newer code must not be taken instead.
              const taken = await store.take(right.entry)
              if (taken !== stored.text) throw problem('invalid_code')
              await limits.reset(stored.throttleKey)
            },
          }
        },
      }
    },
  }
}

export type Codes = ReturnType<typeof createCodes>
