import type { Kysely } from 'kysely'
import { userStatuses, userTypes } from '../../schemas/user.js'
import { compileInsert, compileQuery } from '../query.js'
import type { Tables } from '../tables.js'

export interface Role {
  id: number
  tenantId: number
  key: string
  name: string
}

/** The roles of a user and the permissions that they grant. */
export interface Grants {
  roleIds: number[]
  roleKeys: string[]
  permissions: string[]
}

const toRole = (row: { id: number; tenant_id: number; role_key: string; role_name: string }): Role => ({
  id: row.id,
  tenantId: row.tenant_id,
  key: row.role_key,
  name: row.role_name,
})

const insertGrants = compileInsert((db, rows: { user_id: number; role_id: number }[]) =>
  db
    .insertInto('user_roles')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
)
const selectGrants = compileQuery((db, { userId }: { userId: number }) =>
  db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'roles.id')
    .select(['roles.id', 'roles.role_key', 'role_permissions.permission'])
    .where('user_roles.user_id', '=', userId)
    .orderBy('roles.id')
    .orderBy('role_permissions.permission'),
)

export const readGrants = async (db: Kysely<Tables>, userId: number): Promise<Grants> => {
  const rows = await selectGrants(db, { userId })
  return {
    roleIds: [...new Set(rows.map((row) => row.id))],
    roleKeys: [...new Set(rows.map((row) => row.role_key))],
    permissions: [...new Set(rows.map((row) => row.permission).filter((permission) => permission !== null))],
  }
}

export type RoleRepository = ReturnType<typeof createRoleRepository>

export const createRoleRepository = (db: Kysely<Tables>) => ({
  async find(tenantId: number, key: string): Promise<Role | undefined> {
    const row = await db
      .selectFrom('roles')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('role_key', '=', key)
      .executeTakeFirst()
    return row && toRole(row)
  },

  async add(tenantId: number, key: string, name: string, now: number): Promise<Role> {
    const row = await db
      .insertInto('roles')
      .values({ tenant_id: tenantId, role_key: key, role_name: name, create_time: now })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toRole(row)
  },

  /** Idempotent. */
  async grant(roleId: number, permissions: string[]): Promise<void> {
    if (permissions.length === 0) return
    await db
      .insertInto('role_permissions')
      .values(permissions.map((permission) => ({ role_id: roleId, permission })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  async assign(userId: number, roleId: number): Promise<void> {
    await db
      .insertInto('user_roles')
      .values({ user_id: userId, role_id: roleId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  /** The same for many users. */
  async assignMany(grants: { userId: number; roleId: number }[]): Promise<void> {
    const rows = grants.map(({ userId, roleId }) => ({ user_id: userId, role_id: roleId }))
    await insertGrants(db, rows)
  },

  /** Replaces the roles of a user. */
  async replace(userId: number, roleIds: number[]): Promise<void> {
    await db.deleteFrom('user_roles').where('user_id', '=', userId).execute()
    await insertGrants(
      db,
      roleIds.map((roleId) => ({ user_id: userId, role_id: roleId })),
    )
  },

  /** The roles of a tenant with these keys; unknown keys are left out. */
  async findMany(tenantId: number, keys: string[]): Promise<Role[]> {
    if (keys.length === 0) return []
    const rows = await db
      .selectFrom('roles')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('role_key', 'in', keys)
      .orderBy('id')
      .execute()
    return rows.map(toRole)
  },

  /** The roles of a tenant with these ids; unknown ids are left out. */
  async findManyById(tenantId: number, ids: number[]): Promise<Role[]> {
    if (ids.length === 0) return []
    const rows = await db
      .selectFrom('roles')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    return rows.map(toRole)
  },

  /** The permissions that these roles grant together. */
  async permissionsOf(roleIds: number[]): Promise<string[]> {
    if (roleIds.length === 0) return []
    const rows = await db
      .selectFrom('role_permissions')
      .select('permission')
      .distinct()
      .where('role_id', 'in', roleIds)
      .execute()
    return rows.map(({ permission }) => permission)
  },

  /** Whether a system administrator who is not disabled, in an enabled tenant, has one of these permissions. */
  async hasAdministrator(permissions: string[]): Promise<boolean> {
    const row = await db
      .selectFrom('role_permissions')
      .innerJoin('user_roles', 'user_roles.role_id', 'role_permissions.role_id')
      .innerJoin('users', 'users.id', 'user_roles.user_id')
      .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
      .select('users.id')
      .where('role_permissions.permission', 'in', permissions)
      .where('users.user_type', '=', userTypes.systemAdmin)
      .where('users.user_status', '!=', userStatuses.disabled)
      .where('tenants.enabled', '=', 1)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },

  grantsOf: (userId: number): Promise<Grants> => readGrants(db, userId),

  /** The role keys of several users, for a page of the list. */
  async keysOf(userIds: number[]): Promise<Map<number, string[]>> {
    const keys = new Map<number, string[]>(userIds.map((id) => [id, []]))
    if (userIds.length === 0) return keys
    const rows = await db
      .selectFrom('user_roles')
      .innerJoin('roles', 'roles.id', 'user_roles.role_id')
      .select(['user_roles.user_id', 'roles.role_key'])
      .where('user_roles.user_id', 'in', userIds)
      .orderBy('roles.id')
      .execute()
    for (const row of rows) keys.get(row.user_id)?.push(row.role_key)
    return keys
  },
})
