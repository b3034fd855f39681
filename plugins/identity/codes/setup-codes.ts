import { hash } from 'node:crypto'
import type { User } from '../../../db/repositories/users.js'
import { contactsOf, hasContact, isContact, nameKey, type Contact, type SignInName } from '../../../db/sign-in-names.js'
import type { Needs } from '../../../lib/needs.js'
import { maskEmail, maskPhone } from '../../../lib/mask.js'
import { isProblem, problem } from '../../../lib/problem.js'
import type { ContactProof, SetupCodeSent } from '../../../schemas/factors.js'
import type { Channel } from './channels.js'
import type { CodeClient, RequestCode } from './code-requests.js'
import type { TryCode } from './code-tries.js'
import type { TenantChannels } from './tenant-channels.js'

/** The contact to which a code goes before a first factor is set up, as far as it is shown. */
export interface SetupContact {
  kind: Contact['kind']
  masked: string
}

/** How the sign-in has begun that asks for a factor. */
interface FirstStep {
  subject?: SignInName | undefined
  hasUsedCode: boolean
}

/** A sign-in that asks for a factor: its account, its first step, and its ticket, to which a code is bound. */
export interface Setup {
  user: User
  step: FirstStep
  ticket: string
  /** The `nameKey` of the contact that was proved with this ticket before. */
  provedContact?: string | undefined
}

type Asked = Omit<Setup, 'ticket'>

/** Whoever has just proved a contact is not asked for it again for this time. Milliseconds. */
const proofLifetime = 600_000

const keyOf = (userId: number): string => `factor:contact:${userId}`
const shown = ({ kind, text }: Contact): SetupContact => ({
  kind,
  masked: kind === 'email' ? maskEmail(text) : maskPhone(text),
})

/**
 * Codes to the verified contact of an account, which somebody needs beside the password to set a first factor up by a ticket: a thief of the
 * password alone would otherwise take the account over.
 */
export const createSetupCodes = (
  { db, installation, store }: Needs<'db' | 'installation' | 'store'>,
  ofTenant: Pick<TenantChannels, 'all'>,
  requestCode: RequestCode,
  tryCode: TryCode,
) => {
  const { oneTimeCodes, secondFactor } = installation.settings

  /** Where a code can go: mail first. Undefined where the account has no verified contact, or the tenant no channel to it. */
  const reachable = async (user: User): Promise<{ channel: Channel; contact: Contact } | undefined> => {
    const channels = await ofTenant.all(user.tenantId)
    for (const contact of contactsOf(user).reverse()) {
      const channel = channels.find(({ field }) => field === contact.kind)
      if (channel && (await db.verifiedContacts.isVerified(user.id, contact))) return { channel, contact }
    }
    return undefined
  }

  const hasJustProved = async ({ user, step, provedContact }: Asked): Promise<boolean> => {
    const { subject, hasUsedCode } = step
    const byStep = hasUsedCode && subject && isContact(subject) ? nameKey(subject) : undefined
    const proved = [byStep, provedContact, await store.get(keyOf(user.id))]
    return proved.some((key) => key !== undefined && hasContact(user, key))
  }

  const readAsked = async (setup: Asked) => {
    if (!secondFactor.setupCode) return undefined
    const found = await reachable(setup.user)
    return !found || (await hasJustProved(setup)) ? undefined : found
  }

  const codeOf = ({ channel, contact }: { channel: Channel; contact: Contact }, { user, ticket }: Setup) => ({
    purpose: 'factor-setup' as const,
    tenantId: user.tenantId,
    recipient: channel.normalise(contact.text) ?? contact.text,
    boundTo: hash('sha256', ticket, 'base64url'),
    subject: contact,
  })

  return {
    /** Whoever has shown to read messages to a contact, by a reset, an invitation or a registration, has proved it for ten minutes. */
    noteProved: (userId: number, contact: Contact): Promise<void> =>
      store.set(keyOf(userId), nameKey(contact), proofLifetime),

    /** The contact that has to be proved before a first factor is set up; undefined when none has to. */
    async contactFor(setup: Asked): Promise<SetupContact | undefined> {
      const asked = await readAsked(setup)
      return asked && shown(asked.contact)
    },

    /** Sends a code. Throws `unsupported_auth_type` when none is asked for, and the errors of requests for a code. */
    async request(
      setup: Setup,
      captcha: { code?: string; codeKey?: string },
      client: CodeClient,
    ): Promise<SetupCodeSent> {
      const asked = await readAsked(setup)
      const to = asked?.channel.contactOf(setup.user)
      if (!asked || to == null) throw problem('unsupported_auth_type')
      const findContact = async () => ({ to, username: setup.user.username })
      const sent = await requestCode(asked.channel, { ...codeOf(asked, setup), findContact }, captcha, client)
      return { ...sent, contact: shown(asked.contact), expiresIn: oneTimeCodes.ttl }
    },

    /**
     * Checks the code, and uses it up. Resolves to the `nameKey` of the contact, or to undefined when none is asked for. Throws
     * `contact_code_required` with the contact when there is no code, `invalid_code`, naming `contactCode`, and `too_many_attempts`.
     */
    async prove(
      setup: Setup,
      { contactCode: code, contactCodeKey: codeKey }: ContactProof,
      client: CodeClient,
    ): Promise<string | undefined> {
      const asked = await readAsked(setup)
      if (!asked) return undefined
      if (code === undefined) throw problem('contact_code_required', { data: { contact: shown(asked.contact) } })
      try {
        const correct = await tryCode(asked.channel, { ...codeOf(asked, setup), code, codeKey }, client)
        await correct.take()
        return nameKey(asked.contact)
      } catch (error) {
        if (!isProblem(error) || error.code !== 'invalid_code') throw error
        throw problem('invalid_code', { faults: [{ field: 'contactCode', rule: 'invalid' }] })
      }
    },
  }
}

export type SetupCodes = ReturnType<typeof createSetupCodes>
