import { covers, isPermission, type Permission } from './permissions.js'

/** Every permission that the service itself asks for. That these are all of them is tested. */
export const ownPermissions = [
  'system:audit:list',
  'system:loginlog:list',
  'system:role:add',
  'system:role:delete',
  'system:role:edit',
  'system:role:list',
  'system:session:delete',
  'system:session:list',
  'system:tenant:add',
  'system:tenant:edit',
  'system:tenant:list',
  'system:user:add',
  'system:user:contact',
  'system:user:delete',
  'system:user:edit',
  'system:user:list',
  'system:user:reset',
  'system:user:view',
] as const satisfies readonly Permission[]

/** How many characters must be added, left out, replaced or swapped with the next one to turn one text into the other. */
const distance = (one: string, other: string): number => {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    rows.push(next)
    for (let column = 1; column <= other.length; column++) {
      const replaced = at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1)
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Infinity
      next.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1))
    }
  }
  return at(one.length, other.length)
}

/** A name outside of `system` is one of an application, unless at most so many characters make it one of the service. */
const maxSlip = 2

/**
 * The permission of the service that was probably meant by one that opens nothing of it; undefined if it opens something, or is one of
 * an application.
 */
export const nearestOwnPermission = (granted: string): string | undefined => {
  if (!isPermission(granted) || ownPermissions.some((one) => covers(one)(granted))) return undefined
  const nearest = ownPermissions
    .map((one) => ({ one, far: distance(granted, one) }))
    .reduce((best, next) => (next.far < best.far ? next : best))
  return granted.startsWith('system:') || nearest.far <= maxSlip ? nearest.one : undefined
}
