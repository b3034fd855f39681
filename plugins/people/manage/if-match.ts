import type { User } from '../../../db/repositories/users.js'
import { problem } from '../../../lib/problem.js'
import { toTime } from '../../../lib/time-text.js'

/**
 * Throws `changed_meanwhile` when the header `If-Match` (RFC 9110 13.1.1) names another version of the user: its
 * `updateTime`, with or without quotes. Absent, and `*`, match every version.
 */
export const checkVersion = ({ updateTime }: Pick<User, 'updateTime'>, ifMatch: string | undefined): void => {
  if (ifMatch === undefined) return
  const versions = ifMatch.split(',').map((version) => version.trim().replace(/^"(.*)"$/, '$1'))
  if (!versions.some((version) => version === '*' || version === toTime(updateTime))) throw problem('changed_meanwhile')
}
