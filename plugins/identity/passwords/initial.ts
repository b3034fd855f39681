import type { User } from '../../../db/repositories/users.js'
import type { Settings } from '../../../schemas/settings.js'
import type { Clock } from '../../../lib/clock.js'

const day = 24 * 3600 * 1000

/** Whether an administrator set the password and it has expired: the user did not change it in time (ASVS 6.4.1). */
export const createIsOverdue =
  ({ initialDays }: Settings['passwords'], clock: Clock) =>
  ({ forcePasswordChange, passwordTime }: User): boolean =>
    forcePasswordChange && passwordTime !== null && clock.now() >= passwordTime + initialDays * day
