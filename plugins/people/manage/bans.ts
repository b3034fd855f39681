import type { Repositories } from '../../../db/index.js'
import { banEnd } from '../../../db/repositories/user-bans.js'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { userTarget } from '../../../lib/user-target.js'
import { toTime } from '../../../lib/time-text.js'
import { readToChange, type Change } from './change.js'
import type { Manager } from './policy.js'

/** The end of the year 9999: a ban until somebody lifts it. Epoch milliseconds. */
const forever = Date.UTC(9999, 11, 31)

/** Ends the ban of a user, if there is one, inside a transaction. Resolves to whether there was one. */
export const createLiftBan =
  ({ audit, accounts: { writes }, clock }: Needs<'accounts' | 'audit' | 'clock'>) =>
  async (inside: Repositories, actor: Manager, user: User): Promise<boolean> => {
    const end = banEnd(user, clock.now())
    if (end === null) return false
    await writes.unban(inside, user.id)
    const before = { bannedUntil: toTime(end), reason: user.banReason }
    await audit.record(inside, actor, { action: 'user.unban', target: userTarget(user), before })
    return true
  }
export type LiftBan = ReturnType<typeof createLiftBan>

/** Keeps users from signing in for a time. All throw `not_found`, `own_account` and `permission_denied`. */
export const createBans = (
  { accounts: { writes }, audit, clock, db }: Needs<'accounts' | 'audit' | 'clock' | 'db'>,
  change: Change,
  liftBan: LiftBan,
) => ({
  /**
   * Ends the sessions of the user, who cannot sign in for these seconds. Without `seconds` the ban has no end. Also throws
   * `last_administrator`, however short the ban. The same ban again is not recorded.
   */
  async ban(actor: Manager, id: number, seconds: number | undefined, reason: string | null): Promise<void> {
    await change(
      async (inside) => {
        const { user } = await readToChange(inside, actor, id)
        const expiry = seconds === undefined ? forever : clock.now() + seconds * 1000
        if (banEnd(user, clock.now()) === expiry && user.banReason === reason) return
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
        await liftBan(inside, actor, (await readToChange(inside, actor, id)).user)
      },
      { administration: true, user: id },
    )
  },
})
