import type { Database } from '../../db/index.js'
import type { SessionOwner } from '../../db/repositories/sessions.js'
import { seesTenant, visibleTenant } from '../../lib/visible-tenant.js'
import type { CompatTenantOption, CompatUnit, CompatUnitQuery } from './schemas/units.js'

/** The parent of the top of the tree. */
const top = 0

/** Tenants and units to choose in a form. */
export const createUnits = ({ tenants }: Pick<Database, 'tenants'>) => {
  const toOption = ({ id, name }: { id: number; name: string }): CompatTenantOption => ({
    id,
    tenantId: id,
    tenantName: name,
  })
  const own = ({ tenant }: SessionOwner): CompatTenantOption[] => [toOption(tenant)]

  return {
    ownTenant: own,

    /** The tenants to which the caller may add users. */
    async assignableTenants(caller: SessionOwner): Promise<CompatTenantOption[]> {
      if (visibleTenant(caller) !== undefined) return own(caller)
      const enabled = (await tenants.list()).filter((tenant) => tenant.enabled)
      return enabled.map(toOption)
    },

    /** The units of a tenant, or of the own one: the tenant itself. A tenant that the caller does not see has none. */
    async tree(
      caller: SessionOwner,
      { parentId = top, tenantId = caller.tenant.id }: CompatUnitQuery,
    ): Promise<CompatUnit[]> {
      const tenant = parentId === top && seesTenant(caller, tenantId) ? await tenants.find(tenantId) : undefined
      if (!tenant) return []
      const { id, name } = tenant
      const names = { orgName: name, name, label: name }
      return [{ id, parentId: top, ...names, tenantId: id, hasChildren: false, isLeaf: true, children: [] }]
    },
  }
}
