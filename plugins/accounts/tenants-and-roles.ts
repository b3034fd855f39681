import type { Database } from '../../db/index.js'
import type { Role } from '../../db/repositories/roles.js'
import type { Tenant } from '../../db/repositories/tenants.js'
import type { User } from '../../db/repositories/users.js'
import type { Clock } from '../../lib/clock.js'
import { invalidField, problem } from '../../lib/problem.js'
import type { Fault } from '../../lib/violations.js'
import type { Lookups } from './lookups.js'
import { checkName, isName, maxNameLength } from './names.js'

const isWellFormed = (permission: string): boolean => /^(\*|[\w-]+):(\*|[\w-]+):(\*|[\w-]+)$/.test(permission)

const checkPermissions = (permissions: string[]): void => {
  if (!permissions.every(isWellFormed)) throw invalidField('permission', 'permission')
}

/** Throws `invalid_request`, which names the fields of a role that are not valid; absent fields are not checked. */
const checkRole = (role: {
  key?: string | undefined
  name?: string | undefined
  permissions?: string[] | undefined
}): void => {
  const { key, name, permissions = [] } = role
  const faults: Fault[] = []
  const parameters = { limit: maxNameLength }
  if (key !== undefined && !isName(key)) faults.push({ field: 'key', rule: 'name', parameters })
  if (name !== undefined && !isName(name)) faults.push({ field: 'name', rule: 'name', parameters })
  for (const [index, permission] of permissions.entries())
    if (!isWellFormed(permission)) faults.push({ field: `permissions.${index}`, rule: 'permission' })
  if (faults.length > 0) throw problem('invalid_request', { faults })
}

const checkTenantName = (name: string): void => {
  checkName('name', name)
  // `--tenant 2` names the tenant with the id 2, so names of digits only would be ambiguous.
  if (/^\d+$/.test(name)) throw invalidField('name', 'digits_only')
}

/** Operations on tenants and roles for operators. All throw `invalid_request` for an invalid field. */
export const createTenantsAndRoles = (db: Database, clock: Clock, { findTenant, findUser, findRole }: Lookups) => ({
  checkRole,
  checkTenantName,

  async addTenant(name: string): Promise<Tenant> {
    checkTenantName(name)
    return db.transaction(async ({ tenants }) => {
      if (await tenants.findByName(name)) throw invalidField('name', 'taken')
      return tenants.add(name, clock.now())
    })
  },

  listTenants: () => db.tenants.list(),

  /** Disabling ends the sessions of all users of the tenant in the same transaction; enabling does not restore them. */
  async setTenantEnabled(id: number, enabled: boolean): Promise<Tenant> {
    const tenant = await findTenant(id)
    await db.transaction(
      async ({ tenants, sessions }) => {
        await tenants.setEnabled(tenant.id, enabled, clock.now())
        if (!enabled) await sessions.endOfTenant(tenant.id, 'disabled', clock.now())
      },
      { administration: true, changedTenant: tenant.id },
    )
    return tenant
  },

  async addRole(key: string, name: string, permissions: string[], tenantId?: number): Promise<Role> {
    const tenant = await findTenant(tenantId)
    checkName('role', key)
    checkName('name', name)
    checkPermissions(permissions)
    return db.transaction(async ({ roles }) => {
      if (await roles.find(tenant.id, key)) throw invalidField('role', 'taken')
      const role = await roles.add(tenant.id, key, name, clock.now())
      await roles.grant(role.id, permissions)
      return role
    })
  },

  async grant(key: string, permissions: string[], tenantId?: number): Promise<Role> {
    checkPermissions(permissions)
    const role = await findRole(key, (await findTenant(tenantId)).id)
    await db.roles.grant(role.id, permissions)
    return role
  },

  async assign(key: string, username: string, tenantId?: number): Promise<{ user: User; role: Role }> {
    const tenant = await findTenant(tenantId)
    const role = await findRole(key, tenant.id)
    const user = await findUser(username, tenant.id)
    await db.roles.assign(user.id, role.id)
    return { user, role }
  },
})
