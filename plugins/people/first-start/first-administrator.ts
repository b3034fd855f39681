import type { Database } from '../../../db/index.js'
import { userTypes } from '../../../schemas/user.js'
import type { Clock } from '../../../lib/clock.js'
import type { UserWrites } from '../write/user-writes.js'

/** Names of the tenant, role and user that the first start creates. */
export const first = {
  tenant: 'Default',
  role: 'admin',
  roleName: 'Administrator',
  permission: '*:*:*',
  username: 'admin',
}

/**
 * Creates, in one transaction, the first tenant, the role `admin` with all permissions, and the user `admin`. Resolves to
 * the user name, or to undefined if the database already has users.
 */
export const createFirstAdministrator = (
  db: Database,
  clock: Clock,
  writes: Pick<UserWrites, 'add'>,
  account: { passwordHash: string; forcePasswordChange: boolean },
): Promise<string | undefined> =>
  db.transaction(async (inside) => {
    const { tenants, roles, users } = inside
    if (!(await users.isEmpty())) return undefined
    const now = clock.now()
    const tenant = (await tenants.findByName(first.tenant)) ?? (await tenants.add(first.tenant, now))
    const role =
      (await roles.find(tenant.id, first.role)) ?? (await roles.add(tenant.id, first.role, first.roleName, now))
    await roles.replacePermissions(role.id, [first.permission])
    const user = await writes.add(inside, {
      tenantId: tenant.id,
      username: first.username,
      realName: first.roleName,
      userType: userTypes.systemAdmin,
      ...account,
    })
    await roles.assign(user.id, role.id)
    return first.username
  })
