import type { Database } from '../db/index.js'
import type { SessionOwner } from '../db/repositories/sessions.js'
import { visibleTenant } from '../lib/visible-tenant.js'
import type { CompatTenantOption, CompatUnit } from './schemas/units.js'

/** The parent of the top of the tree. */
const top = 0

/** Tenants and units to choose in a form. */
export const createUnits = ({ tenants }: Pick<Database, 'tenants'>) => {
  const own = ({ tenant }: SessionOwner): CompatTenantOption[] => [{ id: tenant.id, tenantName: tenant.name }]

  return {
    ownTenant: own,

    /** The tenants to which the caller may add users. */
    async assignableTenants(caller: SessionOwner): Promise<CompatTenantOption[]> {
      if (visibleTenant(caller) !== undefined) return own(caller)
      const enabled = (await tenants.list()).filter((tenant) => tenant.enabled)
      return enabled.map(({ id, name }) => ({ id, tenantName: name }))
    },

    /** The units below a unit: the tenant of the caller is the only one. */
    below({ tenant: { id, name } }: SessionOwner, parentId: number = top): CompatUnit[] {
      if (parentId !== top) return []
      const names = { orgName: name, name, label: name }
      return [{ id, parentId: top, ...names, tenantId: id, hasChildren: false, isLeaf: true, children: [] }]
    },
  }
}
