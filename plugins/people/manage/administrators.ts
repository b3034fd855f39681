import type { Repositories } from '../../../db/index.js'
import { banEnd } from '../../../db/repositories/user-bans.js'
import type { User } from '../../../db/repositories/users.js'
import { contactsOf } from '../../../db/sign-in-names.js'
import { userStatuses } from '../../../schemas/user.js'
import type { Needs } from '../../../lib/needs.js'
import { administratorPermissions } from './policy.js'

/**
 * Whether some administrator can sign in; if none can, what keeps the one out who comes nearest. No change may lower this level. Where
 * nobody can sign in, the last administrator is kept all the same: a ban ends, a login method is configured again, or an app
 * around the service has a method of its own.
 */
export const levels = { none: 0, blocked: 1, withoutWayIn: 2, canSignIn: 3 } as const

/** Reads, inside a transaction, what level of administrator an installation has. */
export const createReadAdministration = ({ clock, login }: Needs<'clock' | 'login'>) => {
  const hasWayIn = async (inside: Repositories, user: User): Promise<boolean> => {
    const canSignIn = await login.ofTenant.signInCheckFor(user.tenantId, inside)
    const withoutContacts = { ...user, phone: null, email: null }
    // Nearly all have a password, which needs no further query.
    if (canSignIn(withoutContacts, [], [])) return true
    // A contact that was never used may be mistyped, and an invitation that was sent there lost.
    const verified: Pick<User, 'phone' | 'email'> = { phone: null, email: null }
    for (const contact of contactsOf(user))
      if (await inside.verifiedContacts.isVerified(user.id, contact)) verified[contact.kind] = contact.text
    const [identities, passkeys] = [await inside.identities.ofUser(user.id), await inside.passkeys.ofUser(user.id)]
    return canSignIn({ ...user, ...verified }, identities, passkeys)
  }

  const levelOf = async (inside: Repositories, user: User): Promise<number> => {
    if (user.userStatus !== userStatuses.normal) return levels.blocked
    if (banEnd(user, clock.now()) !== null) return levels.blocked
    return (await hasWayIn(inside, user)) ? levels.canSignIn : levels.withoutWayIn
  }

  return async (inside: Repositories): Promise<number> => {
    let highest: number = levels.none
    for await (const user of inside.roles.administrators(administratorPermissions)) {
      highest = Math.max(highest, await levelOf(inside, user))
      if (highest === levels.canSignIn) break
    }
    return highest
  }
}

export type ReadAdministration = ReturnType<typeof createReadAdministration>
