import type { RolePage, RoleQuery } from '../../schemas/role.js'
import { invalidField } from '../../lib/problem.js'
import type { Management } from '../management/management.js'
import type { Manager } from '../management/policy.js'

/** No tenant: what is asked for in two tenants at once is in none. */
const noTenant = 0

/** The page of roles for both front ends: a path has one route. */
export const createRolePages = (management: Pick<Management, 'roles'>, enabled: boolean) => ({
  async page(actor: Manager, { orgId, ...query }: RoleQuery, closed: () => AbortSignal): Promise<RolePage> {
    if (!enabled) {
      if (orgId !== undefined) throw invalidField('orgId', 'unknown_unit')
      return management.roles.page(actor, query, closed)
    }
    const tenantId = orgId === undefined || (query.tenantId ?? orgId) === orgId ? (query.tenantId ?? orgId) : noTenant
    const wanted = tenantId === undefined ? query : { ...query, tenantId }
    const page = await management.roles.page(actor, wanted, closed)
    const records = page.records.map((role) => ({
      ...role,
      roleName: role.name,
      roleKey: role.key,
      roleType: 1,
      dataScope: 1,
      roleStatus: 1,
    }))
    return { ...page, records }
  },
})
