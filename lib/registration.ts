import type { Settings } from '../schemas/settings.js'

/** Whether strangers may add an account in this tenant. */
export const isRegistrationOpen = (
  { mode, tenants }: Pick<Settings['registration'], 'mode' | 'tenants'>,
  tenantId: number,
): boolean => mode === 'open' && tenants.includes(tenantId)
