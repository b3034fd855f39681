import type { Database } from '../../../db/index.js'
import type { Role } from '../../../db/repositories/roles.js'
import type { Tenant } from '../../../db/repositories/tenants.js'
import type { User } from '../../../db/repositories/users.js'
import { defaultTenantId } from '../../../schemas/login.js'
import { invalidField } from '../../../lib/problem.js'

/** Lookups of tenants, users and roles for operators. All but `knownRole` throw `invalid_request` when nothing is found. */
export const createLookups = (db: Database) => {
  const findTenant = async (id: number = defaultTenantId, field = 'tenantId'): Promise<Tenant> => {
    const tenant = await db.tenants.find(id)
    if (!tenant) throw invalidField(field, 'unknown_tenant')
    return tenant
  }
  const findUser = async (username: string, tenantId: number = defaultTenantId): Promise<User> => {
    const user = await db.users.findByUsername(tenantId, username)
    if (!user) throw invalidField('username', 'unknown_user')
    return user
  }
  const knownRole = (key: string, tenantId: number): Promise<Role | undefined> => db.roles.find(tenantId, key)
  const findRole = async (key: string, tenantId: number = defaultTenantId): Promise<Role> => {
    const role = await knownRole(key, tenantId)
    if (!role) throw invalidField('role', 'unknown_role')
    return role
  }
  const findTenantByName = async (name: string): Promise<Tenant> => {
    const tenant = await db.tenants.findByName(name)
    if (!tenant) throw invalidField('tenant', 'unknown_tenant')
    return tenant
  }
  /** Finds a tenant by id or name. Names never consist of digits only. */
  const findTenantNamed = (text: string): Promise<Tenant> =>
    /^\d{1,15}$/.test(text) ? findTenant(Number(text), 'tenant') : findTenantByName(text)
  return { findTenant, findTenantNamed, findUser, findRole, knownRole }
}

export type Lookups = ReturnType<typeof createLookups>
