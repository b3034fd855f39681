import { sql, type Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import { userStatuses, userTypes } from '../../schemas/user.js'
import { compileInsert, compileQuery } from '../query.js'
import type { Tables } from '../tables.js'
import { toUser, type User } from './user-rows.js'

/** What this repository keeps. */
export const keeps = {
  user_roles: { key: ['user_id', 'role_id'], ofUser: 'user_id' },
} satisfies Keeps

/** The roles of a user and the permissions that they grant. */
export interface Grants {
  roleIds: number[]
  roleKeys: string[]
  permissions: string[]
  /** Whether one of the roles requires a second factor. */
  secondFactorRequired: boolean
}

/** Rows that one statement deletes, few enough to hold the event loop for a moment only. */
const batch = 500

const insertGrants = compileInsert((db, rows: { user_id: number; role_id: number }[]) =>
  db
    .insertInto('user_roles')
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
const grants = (db: Kysely<Tables>) =>
  db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'roles.id')
    .select([
      'user_roles.user_id',
      'roles.id',
      'roles.role_key',
      'roles.second_factor_required',
      'role_permissions.permission',
    ])
    .orderBy('roles.id')
    .orderBy('role_permissions.permission')
const selectGrants = compileQuery((db, { userIds }: { userIds: number[] }) =>
  grants(db).where('user_roles.user_id', 'in', userIds),
)
const selectGrantsOfSessions = compileQuery((db, { ids }: { ids: string[] }) =>
  grants(db).where('user_roles.user_id', 'in', (query) =>
    query.selectFrom('sessions').select('sessions.user_id').where('sessions.id', 'in', ids),
  ),
)

const selectGrantsOfToken = compileQuery((db, { tokenHash }: { tokenHash: string }) =>
  grants(db).where('user_roles.user_id', '=', (query) =>
    query.selectFrom('api_tokens').select('api_tokens.user_id').where('api_tokens.token_hash', '=', tokenHash),
  ),
)

export const noGrants: Grants = { roleIds: [], roleKeys: [], permissions: [], secondFactorRequired: false }

const byUser = (found: Awaited<ReturnType<typeof selectGrants>>): Map<number, Grants> => {
  const rowsByUser = Map.groupBy(found, (row) => row.user_id)
  return new Map(
    [...rowsByUser].map(([userId, rows]) => [
      userId,
      {
        roleIds: [...new Set(rows.map((row) => row.id))],
        roleKeys: [...new Set(rows.map((row) => row.role_key))],
        permissions: [...new Set(rows.map((row) => row.permission).filter((permission) => permission !== null))],
        secondFactorRequired: rows.some((row) => row.second_factor_required === 1),
      },
    ]),
  )
}

/** What users may do, by user id. Users without roles are left out. */
export const readGrants = async (db: Kysely<Tables>, userIds: number[]): Promise<Map<number, Grants>> =>
  userIds.length === 0 ? new Map() : byUser(await selectGrants(db, { userIds }))

/** The same for the owners of sessions, without waiting for who they are. */
export const readGrantsOfSessions = async (db: Kysely<Tables>, ids: string[]): Promise<Map<number, Grants>> =>
  byUser(await selectGrantsOfSessions(db, { ids }))

/** The same for the owner of an API token. */
export const readGrantsOfToken = async (db: Kysely<Tables>, tokenHash: string): Promise<Grants> =>
  byUser(await selectGrantsOfToken(db, { tokenHash }))
    .values()
    .next().value ?? noGrants

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

/** Which users have which roles, as a part of the repository of roles. */
export const createUserRoles = (db: Kysely<Tables>) => ({
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

  /** The system administrators and those of a tenant, who can sign in and have an e-mail address: system administrators first. */
  async administratorsOf(tenantId: number, limit: number): Promise<User[]> {
    const rows = await db
      .selectFrom('users')
      .selectAll()
      .where(sql.ref('user_type'), '<', sql.lit(userTypes.user))
      .where((user) => user.or([user('user_type', '=', userTypes.systemAdmin), user('tenant_id', '=', tenantId)]))
      .where('user_status', '=', userStatuses.normal)
      .where('email', 'is not', null)
      .orderBy('user_type')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toUser)
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
