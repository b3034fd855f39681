import type { User } from '../../db/repositories/users.js'
import { pickLanguage } from '../../lib/language.js'
import type { Channel } from './channels.js'
import type { Codes } from './codes.js'
import type { Delivery } from './delivery.js'
import type { TenantChannels } from './tenant-channels.js'

interface Collaborators {
  codes: Codes
  delivery: Pick<Delivery, 'checkCapacity'>
  ofTenant: Pick<TenantChannels, 'all'>
}

type Invited = Pick<User, 'tenantId' | 'email' | 'phoneKey'>

/** Invitations of new users, by mail, or by text message to a user without an e-mail address. */
export const createInvitations = ({ codes, delivery, ofTenant }: Collaborators) => {
  const channelTo = async ({ tenantId, email, phoneKey }: Invited): Promise<Channel | undefined> => {
    const channels = await ofTenant.all(tenantId)
    return (
      channels.find(({ name }) => name === 'email' && email !== null) ??
      channels.find(({ name }) => name === 'sms' && phoneKey !== null)
    )
  }

  return {
    /** Whether an invitation reaches such a user. Throws `unavailable` when the delivery queue is full. */
    async canInvite(invited: Invited): Promise<boolean> {
      delivery.checkCapacity()
      return (await channelTo(invited)) !== undefined
    },

    /**
     * Sends a new user a code, valid for 24 hours, with which `POST /auth/password/reset` sets the first password. Resolves
     * to the channel, or to undefined when none reaches the user. Throws `unavailable` when the delivery queue is full.
     */
    async invite(user: User, acceptLanguage?: string): Promise<Channel['name'] | undefined> {
      delivery.checkCapacity()
      const channel = await channelTo(user)
      const contact = channel?.contactOf(user)
      if (!channel || contact == null) return undefined
      await codes.send(
        channel,
        {
          purpose: 'invitation',
          tenantId: user.tenantId,
          recipient: codes.readRecipient(channel, contact),
          boundTo: '',
          source: undefined,
          language: pickLanguage(acceptLanguage),
          findContact: async () => ({ to: contact, username: user.username }),
        },
        { isSolved: false },
      )
      return channel.name
    },
  }
}

export type Invitations = ReturnType<typeof createInvitations>
