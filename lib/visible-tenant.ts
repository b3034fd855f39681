import { userTypes } from '../schemas/user.js'

interface Caller {
  user: { userType: number }
  tenant: { id: number }
}

/**
 * The only tenant whose data a caller sees; undefined for a system administrator, and for a command, which has no caller:
 * they see all tenants.
 */
export const visibleTenant = (caller: Caller | undefined): number | undefined =>
  caller === undefined || caller.user.userType === userTypes.systemAdmin ? undefined : caller.tenant.id

/** Whether a caller sees what belongs to this tenant; null is what belongs to none. */
export const seesTenant = (caller: Caller | undefined, tenantId: number | null): boolean => {
  const visible = visibleTenant(caller)
  return visible === undefined || visible === tenantId
}
