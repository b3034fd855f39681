import type { Role } from '../../../db/repositories/roles.js'
import type { Tenant } from '../../../db/repositories/tenants.js'
import { invalidField } from '../../../lib/problem.js'
import type { Lookups } from './lookups.js'

/** What somebody who is not an operator may add. */
export interface ImportRights {
  /** A tenant that is not visible does not exist for the importer. */
  isVisible: (tenantId: number) => boolean
  /** Throws `invalid_request` when the importer may not add users of this type. */
  checkType: (userType: number | undefined) => void
  /** Throws `invalid_request` when the importer may not set passwords that their users need not change. */
  checkKeepsPassword: (forcePasswordChange: boolean | undefined) => void
  /** Throws `invalid_request` when the importer may not give this role. */
  checkRole: (role: Role) => Promise<void>
}

type Used = Pick<Lookups, 'findTenant' | 'findTenantNamed' | 'knownRole'>

/** Lookups that find only what somebody may add. */
export const narrowLookups = (lookups: Used, rights: ImportRights | undefined): Used => {
  if (!rights) return lookups
  const checkTenant = (tenant: Tenant): Tenant => {
    if (!rights.isVisible(tenant.id)) throw invalidField('tenant', 'unknown_tenant')
    return tenant
  }
  return {
    findTenant: async (id) => checkTenant(await lookups.findTenant(id)),
    findTenantNamed: async (text) => checkTenant(await lookups.findTenantNamed(text)),
    async knownRole(key, tenantId) {
      const role = await lookups.knownRole(key, tenantId)
      if (role) await rights.checkRole(role)
      return role
    },
  }
}
