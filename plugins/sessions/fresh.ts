import type { Session } from '../../db/repositories/sessions.js'
import type { Clock } from '../../lib/clock.js'

/** How long a sign-in is fresh. A sign-in at a provider may take as long. Milliseconds. */
const freshTime = 600_000

/**
 * Whether the sign-in of a session was a short while ago: whoever holds a stolen token cannot repeat it. A refresh makes
 * no session fresh.
 */
export const createIsFresh =
  (clock: Clock) =>
  ({ createTime }: Session): boolean =>
    clock.now() <= createTime + freshTime
