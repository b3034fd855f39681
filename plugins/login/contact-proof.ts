import type { User } from '../../db/users.js'
import type { VerifiedContactRepository } from '../../db/verified-contacts.js'
import type { Attempts } from '../attempts/attempts.js'
import type { Clock } from '../clock.js'

interface Collaborators {
  contacts: VerifiedContactRepository
  attempts: Pick<Attempts, 'liftPause'>
  clock: Clock
  /** What a user can be named by. */
  signInNames: (user: User) => string[]
}

/**
 * What a used one-time code shows about the contact that it was sent to: the first one verifies it; one sent to a verified
 * contact lifts the pause that strangers have earned for the names of the account.
 */
export const createContactProof =
  ({ contacts, attempts, clock, signInNames }: Collaborators) =>
  async (user: User, contact: string): Promise<void> => {
    if (!(await contacts.isVerified(user.id, contact))) return contacts.add(user.id, contact, clock.now())
    for (const name of signInNames(user)) await attempts.liftPause(user.tenantId, name)
  }

export type ContactProof = ReturnType<typeof createContactProof>
