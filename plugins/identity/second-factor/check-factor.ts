import { accountOf } from '../../../lib/account-of.js'
import type { User } from '../../../db/repositories/users.js'
import type { Notices } from '../../record/notices/notices.js'
import type { Attempts } from '../../throttle/attempts/attempts.js'
import type { ClientContext } from '../devices/client.js'
import type { FactorKind } from './factors.js'

/** A factor that somebody shows for an account. */
export interface ShownFactor {
  user: User
  kind: FactorKind
  client: Pick<ClientContext, 'address' | 'acceptLanguage' | 'devices'>
}

/** The one way to check a factor of an account: counts by account and place, and tells the owner of wrong ones. */
export const createCheckFactor = (attempts: Pick<Attempts, 'factors'>, notices: Pick<Notices, 'tell'>) => {
  const tryOf = async ({ user, kind, client }: ShownFactor) => {
    const device = await client.devices.idWithFactor(accountOf(user))
    return { userId: user.id, kind, address: client.address, device }
  }

  return {
    /** Runs `verify`, which proves the factor and throws its refusal. Throws `too_many_attempts` and `totp_blocked`, too. */
    check: async <T>(shown: ShownFactor, verify: () => Promise<T>): Promise<T> =>
      attempts.factors.run(await tryOf(shown), verify, (notice) => notices.tell(shown.user, notice, shown.client)),

    /** For a factor that names its account itself, so that nobody could have been told of a wrong one. */
    noteProved: async (shown: ShownFactor): Promise<void> => attempts.factors.notePassed(await tryOf(shown)),
  }
}

export type CheckFactor = ReturnType<typeof createCheckFactor>
