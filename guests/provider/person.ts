import type { Database } from '../../db/index.js'
import type { Grants } from '../../db/repositories/user-roles.js'
import type { User, UserTenant } from '../../db/repositories/user-rows.js'
import { userStatuses } from '../../schemas/user.js'
import type { Client } from './repositories/clients.js'
import type { Resource } from './settings.js'

/** Somebody who signs in to an application. */
export interface Person {
  user: User
  tenant: UserTenant
  grants: Grants
}

/** Whether the account may sign in at all. Sessions of others have ended already; tokens that outlive sessions have not. */
export const mayEnter = ({ user, tenant }: Person, now: number): boolean =>
  user.userStatus === userStatuses.normal &&
  tenant.enabled &&
  !user.forcePasswordChange &&
  (user.bannedUntil === null || user.bannedUntil <= now)

/** The account as it is now, whether or not it may sign in. */
export const readPerson = async (
  db: Pick<Database, 'roles' | 'tenants' | 'users'>,
  userId: number,
): Promise<Person | undefined> => {
  const user = await db.users.find(userId)
  const tenant = user && (await db.tenants.find(user.tenantId))
  return tenant && { user, tenant, grants: await db.roles.grantsOf(userId) }
}

/** The account of a token without a session, if it may sign in. */
export const findPerson = async (db: Database, userId: number, now: number): Promise<Person | undefined> => {
  const person = await readPerson(db, userId)
  return person && mayEnter(person, now) ? person : undefined
}

/** The tenants whose people may use an application. */
export const tenantsOf = ({ tenantId, access: { tenants } }: Pick<Client, 'tenantId' | 'access'>): number[] =>
  tenants.length > 0 ? [...new Set(tenants)] : [tenantId]

/** Whether people of another tenant than its own use the application: user names are unique in one tenant only. */
export const isShared = (client: Pick<Client, 'tenantId' | 'access'>): boolean =>
  tenantsOf(client).some((id) => id !== client.tenantId)

/** A user name that is unique among the people of all tenants. */
export const userNameAt = ({ username, tenantId }: Pick<User, 'username' | 'tenantId'>): string =>
  `${username}@tenant-${tenantId}`

/** Why somebody may not use an application at these services; undefined for who may. */
export const refusalOf = (
  client: Pick<Client, 'tenantId' | 'access' | 'isDocument'>,
  { user, grants }: Pick<Person, 'user' | 'grants'>,
  resources: readonly Pick<Resource, 'access'>[] = [],
): 'tenant' | 'role' | undefined => {
  const all = resources.map(({ access }) => access)
  // Nobody says who may use one that is not registered: the services do.
  if (client.isDocument !== true) all.unshift({ ...client.access, tenants: tenantsOf(client) })
  const isIn = (tenants: number[]) => tenants.length === 0 || tenants.includes(user.tenantId)
  const hasOne = (roles: string[]) => roles.length === 0 || roles.some((role) => grants.roleKeys.includes(role))
  if (!all.every(({ tenants }) => isIn(tenants))) return 'tenant'
  return all.every(({ roles }) => hasOne(roles)) ? undefined : 'role'
}
