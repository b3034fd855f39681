import type { User } from '../../../db/repositories/users.js'
import { userStatuses, userTypes } from '../../../schemas/user.js'

/** Why somebody can be sent no invitation, as the violations of fields are called (`schemas/violations.ts`). */
type WhyNot = 'service_account' | 'has_password' | 'not_enabled' | 'not_reached'

/** An invitation sets the first password of an account: it is for those who have none, are enabled, and are reached by a message. */
export const whyNotInvitable = async (
  user: User,
  isReached: (user: User) => Promise<boolean>,
): Promise<WhyNot | undefined> => {
  if (user.userType === userTypes.service) return 'service_account'
  if (user.passwordHash !== null) return 'has_password'
  if (user.userStatus !== userStatuses.normal) return 'not_enabled'
  return (await isReached(user)) ? undefined : 'not_reached'
}
