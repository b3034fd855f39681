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

/**
 * Sends a new user a code, valid for 24 hours, with which `POST /auth/password/reset` sets the first password: by mail, or
 * by text message to a user without an e-mail address. Resolves to the channel, or to undefined when none reaches the user.
 * Throws `unavailable` when the delivery queue is full.
 */
export const createInvitations =
  ({ codes, delivery, ofTenant }: Collaborators) =>
  async (user: User, acceptLanguage?: string): Promise<Channel['name'] | undefined> => {
    delivery.checkCapacity()
    const channels = await ofTenant.all(user.tenantId)
    const channel =
      channels.find(({ name }) => name === 'email' && user.email !== null) ??
      channels.find(({ name }) => name === 'sms' && user.phoneKey !== null)
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
        findContact: async () => contact,
      },
      { isSolved: false },
    )
    return channel.name
  }
