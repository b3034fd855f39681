import { sql, type Kysely, type Selectable } from 'kysely'
import { userStatuses, userTypes } from '../../schemas/user.js'
import { byPrimaryKey, containsText, equals, readPageInSteps } from '../lists/page-in-steps.js'
import type { Steps } from '../lists/steps.js'
import { inOrderOf, type Page } from '../paging.js'
import { compileInsert, compileQuery } from '../query.js'
import type { RoleTable, Tables } from '../tables.js'
import { toUser, type User } from './user-rows.js'

export interface Role {
  id: number
  tenantId: number
  key: string
  name: string
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

/** The roles of a user and the permissions that they grant. */
export interface Grants {
  roleIds: number[]
  roleKeys: string[]
  permissions: string[]
}

const toRole = (row: Selectable<RoleTable>): Role => ({
  id: row.id,
  tenantId: row.tenant_id,
  key: row.role_key,
  name: row.role_name,
  createTime: row.create_time,
})

/** Rows that one statement deletes, few enough to hold the event loop for a moment only. */
const batch = 500

const insertGrants = compileInsert((db, rows: { user_id: number; role_id: number }[]) =>
  db
    .insertInto('user_roles')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
)
const insertPermissions = compileInsert((db, rows: { role_id: number; permission: string }[]) =>
  db
    .insertInto('role_permissions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
)
/** The first administrators are nearly always enough. */
const administratorsPerRead = 10
// Starts with the few administrators, because a million users may have a role. SQLite uses their partial index only when the query
// has its condition in literals.
const selectAdministrators = compileQuery((db, { permissions, last }: { permissions: string[]; last: number }) =>
  db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('users')
    .where(sql.ref('users.user_type'), '<', sql.lit(userTypes.user))
    .where(sql.ref('users.user_type'), '=', sql.lit(userTypes.systemAdmin))
    .where('users.id', '>', last)
    .where('users.user_status', '!=', userStatuses.disabled)
    .where('tenants.enabled', '=', 1)
    .where((user) =>
      user.exists(
        user
          .selectFrom('user_roles')
          .innerJoin('role_permissions', 'role_permissions.role_id', 'user_roles.role_id')
          .select('user_roles.role_id')
          .whereRef('user_roles.user_id', '=', 'users.id')
          .where('role_permissions.permission', 'in', permissions),
      ),
    )
    .orderBy('users.id')
    .limit(administratorsPerRead),
)
const selectGrants = compileQuery((db, { userIds }: { userIds: number[] }) =>
  db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'roles.id')
    .select(['user_roles.user_id', 'roles.id', 'roles.role_key', 'role_permissions.permission'])
    .where('user_roles.user_id', 'in', userIds)
    .orderBy('roles.id')
    .orderBy('role_permissions.permission'),
)

export const noGrants: Grants = { roleIds: [], roleKeys: [], permissions: [] }

/** What users may do, by user id. Users without roles are left out. */
export const readGrants = async (db: Kysely<Tables>, userIds: number[]): Promise<Map<number, Grants>> => {
  if (userIds.length === 0) return new Map()
  const rowsByUser = Map.groupBy(await selectGrants(db, { userIds }), (row) => row.user_id)
  return new Map(
    [...rowsByUser].map(([userId, rows]) => [
      userId,
      {
        roleIds: [...new Set(rows.map((row) => row.id))],
        roleKeys: [...new Set(rows.map((row) => row.role_key))],
        permissions: [...new Set(rows.map((row) => row.permission).filter((permission) => permission !== null))],
      },
    ]),
  )
}

export type RoleRepository = ReturnType<typeof createRoleRepository>

/** Gives users roles. A role that was deleted meanwhile is left out, as if it were deleted afterwards. */
const assignMany = async (db: Kysely<Tables>, grants: { userId: number; roleId: number }[]): Promise<void> => {
  if (grants.length === 0) return
  const ids = [...new Set(grants.map(({ roleId }) => roleId))]
  const found = await db.selectFrom('roles').select('id').where('id', 'in', ids).execute()
  const existing = new Set(found.map(({ id }) => id))
  const rows = grants.map(({ userId, roleId }) => ({ user_id: userId, role_id: roleId }))
  await insertGrants(
    db,
    rows.filter((row) => existing.has(row.role_id)),
  )
}
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

  /** Idempotent. */
  async grant(roleId: number, permissions: string[]): Promise<void> {
    if (permissions.length === 0) return
    await db
      .insertInto('role_permissions')
      .values(permissions.map((permission) => ({ role_id: roleId, permission })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  assign: (userId: number, roleId: number): Promise<void> => assignMany(db, [{ userId, roleId }]),

  /** The same for many users. */
  assignMany: (grants: { userId: number; roleId: number }[]): Promise<void> => assignMany(db, grants),

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

  /** Takes a role from some of its users; resolves to false when nobody has it any more. */
  async unassignSome(id: number): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('user_roles')
      .where('role_id', '=', id)
      .where('user_id', 'in', (query) =>
        query.selectFrom('user_roles').select('user_id').where('role_id', '=', id).limit(batch),
      )
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  },

  /** Deletes a role that nobody has. */
  async remove(id: number): Promise<void> {
    await db.deleteFrom('roles').where('id', '=', id).execute()
  },

  /** The smallest user type among the administrators who have a role; undefined when none has it. */
  async highestType(id: number): Promise<number | undefined> {
    // From the few administrators to their roles, because a million users may have the role.
    const row = await db
      .selectFrom('users')
      .select('user_type')
      .where(sql.ref('user_type'), '<', sql.lit(userTypes.user))
      .where((user) =>
        user.exists(
          user
            .selectFrom('user_roles')
            .select('role_id')
            .whereRef('user_roles.user_id', '=', 'users.id')
            .where('role_id', '=', id),
        ),
      )
      .orderBy('user_type')
      .limit(1)
      .executeTakeFirst()
    return row?.user_type
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

  /** The system administrators who are not disabled, in enabled tenants, and have one of these permissions. */
  async *administrators(permissions: string[]): AsyncGenerator<User, void> {
    let last = 0
    for (;;) {
      const rows = await selectAdministrators(db, { permissions, last })
      yield* rows.map(toUser)
      if (rows.length < administratorsPerRead) return
      last = rows.at(-1)?.id ?? last
    }
  },

  grantsOf: async (userId: number): Promise<Grants> => (await readGrants(db, [userId])).get(userId) ?? noGrants,

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
