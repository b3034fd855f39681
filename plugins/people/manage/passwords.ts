import { userTypes } from '../../../schemas/user.js'
import type { Needs } from '../../../lib/needs.js'
import { invalidField } from '../../../lib/problem.js'
import { userTarget } from '../../../lib/user-target.js'
import { readToChange, type Change } from './change.js'
import type { Manager } from './policy.js'

/**
 * Sets a password, which the user must change at the next sign-in unless told otherwise, and ends the user's sessions;
 * `unlinkIdentities` also removes all linked identities. Throws `not_found`,
 * `own_account`, `permission_denied`, and `invalid_request` for a password that the rules refuse.
 */
export const createSetPassword =
  ({ accounts, audit, db, passwords }: Needs<'accounts' | 'audit' | 'db' | 'passwords'>, change: Change) =>
  async (
    actor: Manager,
    id: number,
    password: string,
    { forcePasswordChange = true, unlinkIdentities = false, endTokens = true } = {},
  ): Promise<void> => {
    const { user, tenant } = await readToChange(db, actor, id)
    if (user.userType === userTypes.service) throw invalidField('password', 'service_account')
    passwords.check('password', password, passwords.namesOf(user, tenant.name))
    const passwordHash = await passwords.hash(password)
    await change(async (inside) => {
      const managed = await readToChange(inside, actor, id)
      if (unlinkIdentities) await inside.identities.removeOfUser(id)
      const written = await accounts.writes.setPassword(inside, id, passwordHash, { forcePasswordChange, endTokens })
      await audit.record(inside, actor, {
        action: 'user.password',
        target: userTarget(managed.user),
        ...written,
      })
    })
  }
