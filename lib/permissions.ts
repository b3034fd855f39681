import { coveredBy, type Permission } from '../client/index.js'

/** Whether a user's permissions include a given one: the client has the code, so that front ends decide as the service does. */
export { covers, coversAll, isPermission, type Permission } from '../client/index.js'

/** The permissions that guests ask for: each declares its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each guest adds to it
export interface GuestPermissions {}

/** Those of the house, in the order of docs/roles-and-permissions.md. */
export const housePermissions = [
  'system:user:list',
  'system:user:view',
  'system:user:add',
  'system:user:edit',
  'system:user:delete',
  'system:user:reset',
  'system:user:contact',
  'system:role:list',
  'system:role:add',
  'system:role:edit',
  'system:role:delete',
  'system:tenant:list',
  'system:tenant:add',
  'system:tenant:edit',
  'system:session:list',
  'system:session:delete',
  'system:loginlog:list',
  'system:audit:list',
] as const satisfies readonly Permission[]
export type OwnPermission = keyof (Record<(typeof housePermissions)[number], true> & GuestPermissions)

const own: OwnPermission[] = [...housePermissions]

/** The permissions that Rollcall itself asks for. Roles may also hold those of other services. */
export const ownPermissions: readonly OwnPermission[] = own

/** Adds those of a guest. */
export const addPermissions = (permissions: readonly string[]): void => {
  own.push(...(permissions as OwnPermission[]))
}

/** Those that are covered by the granted ones. */
const coveredOf = (granted: readonly string[], permissions: readonly string[]): string[] => {
  const held = new Set(granted)
  return permissions.filter((permission) => coveredBy(permission as Permission).some((one) => held.has(one)))
}

/**
 * What somebody may do who has `granted`, and uses what was given `chosen` of it: what is in one list and covered by the other. Of two
 * patterns of which neither covers the other nothing is left.
 */
export const narrow = (granted: readonly string[], chosen: readonly string[]): string[] => [
  ...new Set([...coveredOf(granted, chosen), ...coveredOf(chosen, granted)]),
]
