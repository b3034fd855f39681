import type { Repositories } from '../../db/index.js'
import type { User } from '../../db/repositories/users.js'
import { userStatuses } from '../../schemas/user.js'
import type { Clock } from '../../lib/clock.js'
import { administratorPermissions } from './policy.js'

interface Collaborators {
  clock: Clock
}

/** What an installation has left to manage users with, in ascending order. */
const levels = { noAdministrator: 0, administratorWhoCannotSignIn: 1, administratorWhoCanSignIn: 2 } as const

/**
 * Reads, inside a transaction, whether an administrator can sign in. One who cannot do so now is better than none: a ban
 * ends, and a login method can be enabled again.
 */
export const createReadAdministration = ({ clock }: Collaborators) => {
  const canSignIn = async ({ userBans }: Repositories, { id, userStatus }: User): Promise<boolean> =>
    userStatus === userStatuses.normal && !(await userBans.find(id, clock.now()))

  return async (inside: Repositories): Promise<number> => {
    let level: number = levels.noAdministrator
    for await (const user of inside.roles.administrators(administratorPermissions)) {
      if (await canSignIn(inside, user)) return levels.administratorWhoCanSignIn
      level = levels.administratorWhoCannotSignIn
    }
    return level
  }
}

export type ReadAdministration = ReturnType<typeof createReadAdministration>
