import type { Database } from '../../../db/index.js'
import type { UserWrites } from '../write/user-writes.js'
import type { Audit } from '../../record/audit/audit.js'
import type { Passwords } from '../../identity/passwords/index.js'
import { userTypes } from '../../../schemas/user.js'
import { invalidField } from '../../../lib/problem.js'
import { userTarget } from '../../../lib/user-target.js'
import { readToChange, type Change } from './change.js'
import type { Manager } from './policy.js'

interface Collaborators {
  db: Database
  change: Change
  passwords: Passwords
  audit: Pick<Audit, 'record'>
  accounts: { writes: Pick<UserWrites, 'setPassword'> }
}

/**
 * Sets a password, which the user must change at the next sign-in unless told otherwise, and ends the user's sessions;
 * `unlinkIdentities` also removes all linked identities. Throws `not_found`,
 * `own_account`, `permission_denied`, and `invalid_request` for a password that the rules refuse.
 */
export const createSetPassword =
  ({ db, change, passwords, audit, accounts }: Collaborators) =>
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
