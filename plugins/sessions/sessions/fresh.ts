import type { Session } from '../../../db/repositories/sessions.js'
import type { Clock } from '../../../lib/clock.js'

/** How long a sign-in counts as fresh; long enough for a sign-in at an identity provider. Milliseconds. */
const freshTime = 600_000

/**
 * Whether the user of a session has signed in, or has proved to be the user again, recently. A thief of the token cannot sign in again, and refreshing the token
 * does not make the session fresh.
 */
export const createIsFresh =
  (clock: Clock) =>
  ({ authTime }: Session): boolean =>
    clock.now() <= authTime + freshTime
