/** `module:resource:action`. In a granted permission `*` stands for any one segment. */
export type Permission = `${string}:${string}:${string}`

/**
 * The permissions that Rollcall itself asks for, in the order of docs/roles-and-permissions.md. Roles may also hold those of
 * other services.
 */
export const ownPermissions = [
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
export type OwnPermission = (typeof ownPermissions)[number]

export const isPermission = (value: unknown): value is Permission =>
  typeof value === 'string' && /^[^:\s]+:[^:\s]+:[^:\s]+$/.test(value)

/** The eight permissions that cover `needed`: each segment is the same or `*`. */
const coveredBy = (needed: Permission): string[] => {
  const [module = '', resource = '', action = ''] = needed.split(':')
  return [module, '*'].flatMap((first) =>
    [resource, '*'].flatMap((second) => [action, '*'].map((third) => `${first}:${second}:${third}`)),
  )
}

/** Returns a function that says whether a granted permission covers `needed`. */
export const covers = (needed: Permission): ((granted: string) => boolean) => {
  const covering = new Set(coveredBy(needed))
  return (granted) => covering.has(granted)
}

/** Whether all of these are covered by the granted ones. Takes as long as the two lists are, not as their product. */
export const coversAll = (granted: readonly string[], needed: readonly string[]): boolean => {
  const held = new Set(granted)
  return needed.every((permission) => isPermission(permission) && coveredBy(permission).some((one) => held.has(one)))
}
