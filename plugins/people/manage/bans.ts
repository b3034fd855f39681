import type { Database } from '../../../db/index.js'
import { userTarget } from '../../../lib/user-target.js'
import type { Clock } from '../../../lib/clock.js'
import { toTime } from '../../../lib/time-text.js'
import type { UserWrites } from '../write/user-writes.js'
import type { Audit } from '../../record/audit/audit.js'
import { readToChange, type Change } from './change.js'
import type { Manager } from './policy.js'

interface Collaborators {
  db: Pick<Database, 'transaction'>
  audit: Pick<Audit, 'record'>
  change: Change
  accounts: { writes: Pick<UserWrites, 'ban' | 'unban'> }
  clock: Clock
}

/** The end of the year 9999: a ban until somebody lifts it. Epoch milliseconds. */
const forever = Date.UTC(9999, 11, 31)

/** Keeps users from signing in for a time. All throw `not_found`, `own_account` and `permission_denied`. */
export const createBans = ({ db, audit, change, accounts: { writes }, clock }: Collaborators) => ({
  /**
   * Ends the sessions of the user, who cannot sign in for these seconds. Without `seconds` the ban has no end. Also throws
   * `last_administrator`, however short the ban. The same ban again is not recorded.
   */
  async ban(actor: Manager, id: number, seconds: number | undefined, reason: string | null): Promise<void> {
    await change(
      async (inside) => {
        const { user } = await readToChange(inside, actor, id)
        const expiry = seconds === undefined ? forever : clock.now() + seconds * 1000
        const known = await inside.userBans.find(id, clock.now())
        if (known?.expiry === expiry && known.reason === reason) return
        await writes.ban(inside, id, { expiry, reason })
        const after = { bannedUntil: toTime(expiry), reason }
        await audit.record(inside, actor, { action: 'user.ban', target: userTarget(user), after })
      },
      { administration: true, user: id },
    )
  },

  /** A repetition changes nothing. */
  async unban(actor: Manager, id: number): Promise<void> {
    await db.transaction(
      async (inside) => {
        const { user } = await readToChange(inside, actor, id)
        const ban = await inside.userBans.find(id, clock.now())
        if (!ban) return
        await writes.unban(inside, id)
        const before = { bannedUntil: toTime(ban.expiry), reason: ban.reason }
        await audit.record(inside, actor, { action: 'user.unban', target: userTarget(user), before })
      },
      { administration: true, user: id },
    )
  },
})
