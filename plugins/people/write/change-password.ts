import type { Database } from '../../../db/index.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { ChangePasswordRequest } from '../../../schemas/login.js'
import { userTarget } from '../../../lib/user-target.js'
import { actorOfCaller, type ActorSource } from '../../../lib/actor.js'
import { invalidField, problem } from '../../../lib/problem.js'
import type { Audit } from '../../record/audit/audit.js'
import type { Notices } from '../../record/notices/notices.js'
import type { Passwords } from '../../identity/passwords/index.js'
import type { createReauthenticate } from './reauthenticate.js'
import type { UserWrites } from './user-writes.js'

interface Collaborators {
  audit: Pick<Audit, 'record'>
  db: Database
  passwords: Passwords
  reauthenticate: ReturnType<typeof createReauthenticate>
  notices: Pick<Notices, 'tell'>
  writes: Pick<UserWrites, 'setPassword'>
}

/**
 * Changes or first sets the password of the caller and ends the caller's other sessions, in one transaction, and tells the
 * owner. Throws `invalid_credentials` (counted like a failed sign-in), `fresh_sign_in_required` when a first password is set in a session
 * that is not fresh, `invalid_request`, `too_many_attempts`.
 */
export const createChangePassword =
  ({ audit, db, passwords, reauthenticate, notices, writes }: Collaborators) =>
  async (
    caller: SessionOwner,
    { oldPassword, newPassword }: ChangePasswordRequest,
    source: ActorSource,
  ): Promise<void> => {
    const { session, user, tenant } = caller
    const hasPassword = user.passwordHash !== null
    if (hasPassword && oldPassword === undefined) throw invalidField('oldPassword', 'required')
    await reauthenticate(caller, oldPassword, source.address)
    passwords.check('newPassword', newPassword, passwords.namesOf(user, tenant.name))
    if (newPassword.normalize('NFKC') === oldPassword?.normalize('NFKC'))
      throw invalidField('newPassword', 'same_password')
    const passwordHash = await passwords.hash(newPassword, `user ${user.id}`)
    await db.transaction(
      async (inside) => {
        // If an operator has set another password while this one was hashed, the password of the operator stays.
        const current = await inside.users.find(user.id)
        if (current?.passwordHash !== user.passwordHash) throw problem('invalid_credentials')
        await writes.setPassword(inside, user.id, passwordHash, { ownSession: session.id })
        await audit.record(inside, actorOfCaller(caller, source), { action: 'user.password', target: userTarget(user) })
      },
      { user: user.id },
    )
    notices.tell(user, hasPassword ? 'password_changed' : 'first_password', source)
  }
