import { covers, coversAll } from '../../../client/index.js'
import { groups, splitPermissions } from './permissions.js'

/**
 * What somebody who has a role loses by a change of it: permissions of the service in words, others as they are written. `others` is what
 * the other roles of the person grant.
 */
export const takenBy = (before: readonly string[], after: readonly string[], others: readonly string[]): string[] => {
  const kept = [...after, ...others]
  const known = groups().flatMap(({ permissions }) => permissions)
  const lost = known.filter(({ name }) => before.some(covers(name)) && !kept.some(covers(name)))
  const further = splitPermissions(before).further.filter((permission) => !coversAll(kept, [permission]))
  return [...lost.map(({ text }) => text), ...further]
}
