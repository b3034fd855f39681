import { signInNames, type Contact } from '../../db/sign-in-names.js'
import type { User } from '../../db/repositories/users.js'
import type { VerifiedContactRepository } from '../../db/repositories/verified-contacts.js'
import type { Attempts } from '../attempts/attempts.js'
import type { Clock } from '../../lib/clock.js'

interface Collaborators {
  contacts: VerifiedContactRepository
  attempts: Pick<Attempts, 'liftLockout'>
  clock: Clock
}

/**
 * Runs after a sign-in by one-time code. The first code sent to a contact verifies the contact. A later one ends the
 * lockouts that failed tries of others have caused for the names of the account.
 */
export const createContactVerification =
  ({ contacts, attempts, clock }: Collaborators) =>
  async (user: User, contact: Contact): Promise<void> => {
    if (!(await contacts.isVerified(user.id, contact))) return contacts.add(user.id, contact, clock.now())
    for (const name of signInNames(user)) await attempts.liftLockout(user.tenantId, name)
  }

export type ContactVerification = ReturnType<typeof createContactVerification>
