import type { Settings } from '../schemas/settings.js'

/** Whether strangers may add an account in this tenant. */
export const isRegistrationOpen = (
  { mode, tenants }: Pick<Settings['registration'], 'mode' | 'tenants'>,
  tenantId: number,
): boolean => mode === 'open' && tenants.includes(tenantId)

/** Whether the code of a registration can be sent by one of these channels: with a list of domains only by e-mail. */
export const canSendCode = (
  { emailDomains }: Pick<Settings['registration'], 'emailDomains'>,
  channels: readonly { field: 'email' | 'phone' }[],
): boolean => channels.some(({ field }) => field === 'email' || emailDomains.length === 0)
