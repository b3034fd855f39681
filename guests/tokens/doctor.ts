import { findingsOf, type Finding } from '../../cli/doctor/finding.js'
import { countOf } from '../../lib/count-of.js'
import type { Database } from '../../db/index.js'
import type { Installation } from '../../plugins/run/config/installation.js'

const unusedFor = 90 * 24 * 3600 * 1000

/** Tokens that somebody should look at. */
export const checkTokens = async (_installation: Installation, db: Database): Promise<Finding[]> => {
  const { ok, warning } = findingsOf('API tokens')
  const now = Date.now()
  const { live, endless, unused, disabled } = await db.apiTokens.count(now, now - unusedFor)
  const look = 'Look at them in the console, or by rollcall token list, and end what nobody needs.'
  if (live === 0) return []
  return [
    ok(countOf(live, 'API token')),
    ...(endless > 0 ? [warning(`${countOf(endless, 'API token')} without an end`, look)] : []),
    ...(unused > 0 ? [warning(`${countOf(unused, 'API token')} not used for 90 days`, look)] : []),
    ...(disabled > 0
      ? [
          warning(
            `${countOf(disabled, 'API token')} of users who are disabled or locked, which sign in again with them`,
            look,
          ),
        ]
      : []),
  ]
}
