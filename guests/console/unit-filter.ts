/** No tenant: what is asked for in two tenants at once is in none. */
const noTenant = 0

/** A query with the tenant that its unit stands for: a tenant is its own one unit. */
export const readUnit = <Query extends { tenantId?: number }>({
  orgId,
  ...query
}: Query & { orgId?: number }): Omit<Query, 'orgId'> => {
  if (orgId === undefined) return query
  return { ...query, tenantId: (query.tenantId ?? orgId) === orgId ? orgId : noTenant }
}
