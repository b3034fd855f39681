import type { DisabledMethodRepository } from '../../../db/repositories/disabled-methods.js'
import { problem } from '../../../lib/problem.js'
import type { Channel } from './channels.js'

/** The channels whose codes open accounts of a tenant. An operator who disables sign-ins by e-mail code means resets too. */
export const createTenantChannels = (channels: Channel[], disabledMethods: Pick<DisabledMethodRepository, 'of'>) => {
  const all = async (tenantId: number): Promise<Channel[]> => {
    const disabled = await disabledMethods.of(tenantId)
    return channels.filter(({ authType }) => !disabled.includes(authType))
  }
  return {
    all,
    /** Throws `unsupported_auth_type` for a channel that is not configured or that the tenant has disabled. */
    async find(name: Channel['name'], tenantId: number): Promise<Channel> {
      const channel = (await all(tenantId)).find((candidate) => candidate.name === name)
      if (!channel) throw problem('unsupported_auth_type')
      return channel
    },
  }
}

export type TenantChannels = ReturnType<typeof createTenantChannels>
