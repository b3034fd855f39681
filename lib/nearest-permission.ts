import { nearestName } from './edit-distance.js'
import { covers, isPermission, ownPermissions } from './permissions.js'

/** A name outside of `system` is one of an application, unless at most so many characters make it one of the service. */
const maxSlip = 2

/**
 * The permission of the service that was probably meant by one that opens nothing of it; undefined if it opens something, or is one of
 * an application.
 */
export const nearestOwnPermission = (granted: string): string | undefined => {
  if (!isPermission(granted) || ownPermissions.some((one) => covers(one)(granted))) return undefined
  const allowed = granted.startsWith('system:') ? Infinity : maxSlip
  return nearestName(granted, ownPermissions, () => allowed)
}
