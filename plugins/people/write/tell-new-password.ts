import type { User } from '../../../db/repositories/users.js'
import type { ClientContext } from '../../identity/login/client-context.js'
import type { Notices } from '../../record/notices/notices.js'

/**
 * Tells the owner that a password was set in place of `user.passwordHash`. The first one of an account in which nobody has signed in yet
 * alarms nobody: it was set with the code of the invitation, or one that was sent to the same address.
 */
export const tellNewPassword = (notices: Pick<Notices, 'tell'>, user: User, client: ClientContext): void => {
  if (user.passwordHash !== null) notices.tell(user, 'password_changed', client)
  else if (user.loginCount > 0) notices.tell(user, 'first_password', client)
}
