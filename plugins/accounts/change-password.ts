import type { Database } from '../../db/index.js'
import type { SessionOwner } from '../../db/sessions.js'
import type { ChangePasswordRequest } from '../../schemas/login.js'
import type { Attempts } from '../attempts/attempts.js'
import type { Clock } from '../clock.js'
import { invalidField, problem } from '../errors/problem.js'
import type { Passwords } from '../passwords/index.js'

interface Collaborators {
  db: Database
  passwords: Passwords
  attempts: Attempts
  clock: Clock
}

/**
 * Changes the caller's own password; every other session of the caller ends in the same transaction.
 * Throws `invalid_credentials` (counted like a failed sign-in), `invalid_request`, `too_many_attempts`.
 */
export const createChangePassword =
  ({ db, passwords, attempts, clock }: Collaborators) =>
  async (
    { session, user, tenant }: SessionOwner,
    { oldPassword, newPassword }: ChangePasswordRequest,
    address: string,
  ): Promise<void> => {
    const attempt = { tenantId: tenant.id, subject: user.username, address, session: session.id }
    const tries = await attempts.of(attempt)
    const requester = { share: 'known', lane: `user ${user.id}` } as const
    await tries.guard(async () => {
      if (!(await passwords.verify(user.passwordHash, oldPassword, requester))) throw problem('invalid_credentials')
    })
    const names = [user.username, user.phone, user.email?.split('@')[0], tenant.name].filter((name) => name != null)
    passwords.check('newPassword', newPassword, names)
    if (newPassword.normalize('NFKC') === oldPassword.normalize('NFKC'))
      throw invalidField('newPassword', 'same_password')
    const passwordHash = await passwords.hash(newPassword, requester.lane)
    await db.transaction(async ({ users, sessions }) => {
      // An operator may have set another password while this one was hashed; theirs wins.
      const current = await users.find(user.id)
      if (current?.passwordHash !== user.passwordHash) throw problem('invalid_credentials')
      await users.setPassword(user.id, passwordHash, false, clock.now())
      await sessions.endOfUser(user.id, 'password_changed', clock.now(), session.id)
    })
  }
