import type { Kysely, Selectable } from 'kysely'
import type { Keeps } from '../keeps.js'
import { byPrimaryKey, containsText, equals, readPageInSteps } from '../lists/page-in-steps.js'
import type { Steps } from '../lists/steps.js'
import { inOrderOf, type Page } from '../paging.js'
import { compileInsert } from '../query.js'
import type { RoleTable, Tables } from '../tables.js'
import { createUserRoles } from './user-roles.js'

/** What this repository keeps. */
export const keeps = {
  roles: { key: ['id'] },
  role_permissions: { key: ['role_id', 'permission'] },
} satisfies Keeps

export interface Role {
  id: number
  tenantId: number
  key: string
  name: string
  /** Whether users with this role need a second factor. */
  secondFactorRequired: boolean
  /** Epoch milliseconds. */
  createTime: number
}

export interface RoleFilter {
  tenantId?: number | undefined
  /** Contained, case-insensitive. */
  key?: string | undefined
  name?: string | undefined
}

export interface RoleOrder {
  column: 'id' | 'tenantId' | 'key' | 'name' | 'createTime'
  direction: 'asc' | 'desc'
}

const columnOf = {
  id: 'id',
  tenantId: 'tenant_id',
  key: 'role_key',
  name: 'role_name',
  createTime: 'create_time',
} as const

const toRole = (row: Selectable<RoleTable>): Role => ({
  id: row.id,
  tenantId: row.tenant_id,
  key: row.role_key,
  name: row.role_name,
  secondFactorRequired: row.second_factor_required === 1,
  createTime: row.create_time,
})

const insertPermissions = compileInsert((db, rows: { role_id: number; permission: string }[]) =>
  db
    .insertInto('role_permissions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
)

/** The roles of a tenant with one of these values in a column. */
const findSome = async (
  db: Kysely<Tables>,
  tenantId: number,
  column: 'id' | 'role_key',
  values: (number | string)[],
): Promise<Role[]> => {
  if (values.length === 0) return []
  const ofTenant = db.selectFrom('roles').selectAll().where('tenant_id', '=', tenantId)
  return (await ofTenant.where(column, 'in', values).orderBy('id').execute()).map(toRole)
}

export type RoleRepository = ReturnType<typeof createRoleRepository>

/** Roles with their permissions, and which users have them. */
export const createRoleRepository = (db: Kysely<Tables>) => ({
  async find(tenantId: number, key: string): Promise<Role | undefined> {
    return (await findSome(db, tenantId, 'role_key', [key]))[0]
  },

  /** Whether a tenant has at least so many roles. */
  async hasMany(tenantId: number, count: number): Promise<boolean> {
    const found = await db
      .selectFrom('roles')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .limit(1)
      .offset(count - 1)
      .executeTakeFirst()
    return found !== undefined
  },

  async add(tenantId: number, key: string, name: string, now: number): Promise<Role> {
    const row = await db
      .insertInto('roles')
      .values({ tenant_id: tenantId, role_key: key, role_name: name, create_time: now })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toRole(row)
  },

  async setSecondFactorRequired(id: number, required: boolean): Promise<void> {
    await db
      .updateTable('roles')
      .set({ second_factor_required: required ? 1 : 0 })
      .where('id', '=', id)
      .execute()
  },

  /** The roles of a tenant with these keys; unknown keys are left out. */
  findMany: (tenantId: number, keys: string[]): Promise<Role[]> => findSome(db, tenantId, 'role_key', keys),

  async page(
    filter: RoleFilter,
    page: Page,
    order: RoleOrder[],
    steps: Steps,
  ): Promise<{ rows: Role[]; total: number }> {
    const { tenantId, key, name } = filter
    const ofTenant = tenantId === undefined ? [] : [equals('tenant_id', tenantId)]
    const matches = [...ofTenant]
    if (key !== undefined) matches.push(containsText('role_key', key))
    if (name !== undefined) matches.push(containsText('role_name', name))
    const few = ofTenant.length === 0 ? [] : [ofTenant]
    const sorting = byPrimaryKey(order.map(({ column, direction }) => ({ column: columnOf[column], direction })))
    const { ids, total } = await readPageInSteps({ db, table: 'roles', matches, few, ...sorting }, page, steps)
    if (ids.length === 0) return { rows: [], total }
    const rows = await db.selectFrom('roles').selectAll().where('id', 'in', ids).execute()
    return { rows: inOrderOf(ids, rows).map(toRole), total }
  },

  async rename(id: number, name: string): Promise<void> {
    await db.updateTable('roles').set({ role_name: name }).where('id', '=', id).execute()
  },

  /** Replaces the permissions of a role. */
  async replacePermissions(id: number, permissions: string[]): Promise<void> {
    await db.deleteFrom('role_permissions').where('role_id', '=', id).execute()
    await insertPermissions(
      db,
      permissions.map((permission) => ({ role_id: id, permission })),
    )
  },

  /** Deletes a role that nobody has. */
  async remove(id: number): Promise<void> {
    await db.deleteFrom('roles').where('id', '=', id).execute()
  },

  /** The permissions of several roles, for a page. */
  async permissionsByRole(ids: number[]): Promise<Map<number, string[]>> {
    const permissions = new Map<number, string[]>(ids.map((id) => [id, []]))
    if (ids.length === 0) return permissions
    const rows = await db
      .selectFrom('role_permissions')
      .selectAll()
      .where('role_id', 'in', ids)
      .orderBy('role_id')
      .orderBy('permission')
      .execute()
    for (const row of rows) permissions.get(row.role_id)?.push(row.permission)
    return permissions
  },

  /** The roles of a tenant with these ids; unknown ids are left out. */
  findManyById: (tenantId: number, ids: number[]): Promise<Role[]> => findSome(db, tenantId, 'id', ids),

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

  ...createUserRoles(db),
})
