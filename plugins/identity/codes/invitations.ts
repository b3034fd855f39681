import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { languageOfTag, pickLanguage } from '../../../lib/language.js'
import { invalidField } from '../../../lib/problem.js'
import { defaultTenantId } from '../../../schemas/login.js'
import type { Channel } from './channels.js'
import type { Codes } from './codes.js'
import type { Delivery } from './delivery.js'
import type { TenantChannels } from './tenant-channels.js'

/** Without it there is no channel to such a contact. */
const settingOf = { email: 'mail.url (SMTP_URL)', phone: 'sms.sender' }

interface Sending {
  channels: Channel[]
  codes: Codes
  delivery: Pick<Delivery, 'checkCapacity' | 'idle'>
  ofTenant: Pick<TenantChannels, 'all'>
}

/** Who invites, as far as it is known. */
interface Inviter {
  name?: string | undefined
  acceptLanguage?: string | undefined
}

type Invited = Pick<User, 'tenantId' | 'email' | 'phoneKey'>

/** Invitations of new users, by mail, or by text message to a user without an e-mail address. */
export const createInvitations = (
  { db, notices }: Needs<'db' | 'notices'>,
  { channels, codes, delivery, ofTenant }: Sending,
) => {
  const choose = (offered: Channel[], { email, phoneKey }: Invited): Channel | undefined =>
    offered.find(({ name }) => name === 'email' && email !== null) ??
    offered.find(({ name }) => name === 'sms' && phoneKey !== null)
  const channelTo = async (invited: Invited) => choose(await ofTenant.all(invited.tenantId), invited)

  return {
    /** Throws `unavailable` when so many invitations cannot be sent at once. */
    checkInvitations: (count: number): void => delivery.checkCapacity(count),

    /** Resolves when few messages wait. */
    waitForRoom: (): Promise<void> => delivery.idle(),

    /** Whether a message reaches such a user. */
    isReached: async (invited: Invited): Promise<boolean> => (await channelTo(invited)) !== undefined,

    /**
     * Throws `invalid_request` for the field `password` if no invitation reaches such a user, and `unavailable` when the
     * delivery queue is full.
     */
    async checkInvitable(invited: Invited): Promise<void> {
      delivery.checkCapacity()
      const offered = await ofTenant.all(invited.tenantId)
      if (choose(offered, invited)) return
      const [one, other] = offered
      if (one) throw invalidField('password', other ? 'password_or_contact' : `password_or_${one.field}`)
      const kind = invited.email === null && invited.phoneKey !== null ? 'phone' : 'email'
      const channel = channels.find(({ field }) => field === kind)
      if (channel) throw invalidField('password', 'password_or_method', { method: channel.authType })
      throw invalidField('password', 'password_or_setting', { setting: settingOf[kind] })
    },

    /**
     * Sends a new user a code, valid for 24 hours, with which `POST /auth/password/reset` sets the first password. Resolves
     * to the channel, or to undefined when none reaches the user. Throws `unavailable` when the delivery queue is full.
     */
    async invite(user: User, inviter: Inviter = {}): Promise<Channel['name'] | undefined> {
      delivery.checkCapacity()
      const channel = await channelTo(user)
      const contact = channel?.contactOf(user)
      if (!channel || contact == null) return undefined
      const { tenantId } = user
      // Everybody is in this one where there are no others, and its name says nothing.
      const tenant = tenantId === defaultTenantId ? undefined : await db.tenants.find(tenantId)
      const [language = pickLanguage(inviter.acceptLanguage), ...others] = notices.composer.languagesOf(
        pickLanguage(inviter.acceptLanguage),
        languageOfTag(user.language ?? undefined),
      )
      await codes.send(
        channel,
        {
          purpose: 'invitation',
          tenantId,
          recipient: codes.readRecipient(channel, contact),
          boundTo: '',
          source: undefined,
          language,
          invitation: { by: inviter.name, tenantName: tenant?.name, languages: [language, ...others] },
          // Nobody counts as invited whom no message has reached.
          failed: (time) => db.users.withdrawInvitation(user.id, time),
          findContact: async () => ({ to: contact, userId: user.id, username: user.username }),
        },
        { isSolved: false },
      )
      return channel.name
    },
  }
}

export type Invitations = ReturnType<typeof createInvitations>
