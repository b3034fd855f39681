import type { Needs } from '../../../lib/needs.js'
import { accountOf } from '../../../lib/account-of.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { ChangePasswordRequest } from '../../../schemas/login.js'
import { userTarget } from '../../../lib/user-target.js'
import { actorOfCaller } from '../../../lib/actor.js'
import { invalidField, problem } from '../../../lib/problem.js'
import type { ClientContext } from '../../identity/devices/client.js'
import type { createProveFactor, createProvePasswordOrFactor } from './prove-password-or-factor.js'
import type { createProvePassword } from './prove-password.js'
import type { UserWrites } from './user-writes.js'

/** How somebody proves to be the owner of an account. */
interface Proofs {
  provePassword: ReturnType<typeof createProvePassword>
  proveFactor: ReturnType<typeof createProveFactor>
  provePasswordOrFactor: ReturnType<typeof createProvePasswordOrFactor>
}

/**
 * Changes or first sets the password of the caller and ends the caller's other sessions, in one transaction, and tells the
 * owner. Throws `invalid_credentials` (counted like a failed sign-in), `step_up_required`, `fresh_sign_in_required` when a first password is
 * set in a session that is not fresh, `invalid_request`, `too_many_attempts`.
 */
export const createChangePassword = (
  { audit, db, notices, passwords }: Needs<'audit' | 'db' | 'notices' | 'passwords'>,
  writes: Pick<UserWrites, 'setPassword'>,
  { provePassword, proveFactor, provePasswordOrFactor }: Proofs,
) => {
  /** A factor does not stand in for the old password: a token that is stolen after the second step would take the account over. */
  const prove = async (caller: SessionOwner, oldPassword: string | undefined, address: string): Promise<void> => {
    if (caller.user.passwordHash === null) return provePasswordOrFactor(caller, oldPassword, address)
    if (oldPassword === undefined) throw invalidField('oldPassword', 'required')
    await proveFactor(caller)
    await provePassword(caller, oldPassword, address)
  }

  return async (
    caller: SessionOwner,
    { oldPassword, newPassword, endTokens = false }: ChangePasswordRequest,
    client: ClientContext,
  ): Promise<void> => {
    const { session, user, tenant } = caller
    await prove(caller, oldPassword, client.address)
    passwords.check('newPassword', newPassword, passwords.namesOf(user, tenant.name))
    if (newPassword.normalize('NFKC') === oldPassword?.normalize('NFKC'))
      throw invalidField('newPassword', 'same_password')
    const passwordHash = await passwords.hash(newPassword, `user ${user.id}`)
    const device = client.devices.renewId(accountOf(user))
    await db.transaction(
      async (inside) => {
        // If an operator has set another password while this one was hashed, the password of the operator stays.
        const current = await inside.users.find(user.id)
        if (current?.passwordHash !== user.passwordHash) throw problem('invalid_credentials')
        const written = await writes.setPassword(inside, user.id, passwordHash, { ownSession: session.id, endTokens })
        await device.move(inside)
        await audit.record(inside, actorOfCaller(caller, client), {
          action: 'user.password',
          target: userTarget(user),
          ...written,
        })
      },
      { user: user.id },
    )
    notices.tellNewPassword(user, client)
  }
}
