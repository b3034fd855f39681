import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { isProblem } from '../../../lib/problem.js'
import type { Manager } from './policy.js'
import { whyNotInvitable } from './why-not-invitable.js'

/** Users that are read at a time. */
const batch = 500

/** Resolves when the signal is aborted. */
const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Invitations of the users of an import. */
export const createInviteMany = (
  { db, oneTimeCodes: invitations }: Needs<'db' | 'oneTimeCodes'>,
  invite: (actor: Manager, id: number) => Promise<void>,
) => ({
  /** Those of the users who have no password and whom an invitation reaches. */
  async invitable(ids: readonly number[]): Promise<number[]> {
    const reached = new Map<string, Promise<boolean>>()
    const isReached = (user: User): Promise<boolean> => {
      const kind = `${user.tenantId} ${String(user.email !== null)} ${String(user.phoneKey !== null)}`
      const known = reached.get(kind) ?? invitations.isReached(user)
      reached.set(kind, known)
      return known
    }
    const found: number[] = []
    for (let start = 0; start < ids.length; start += batch) {
      for (const user of await db.users.findMany(ids.slice(start, start + batch))) {
        if ((await whyNotInvitable(user, isReached)) === undefined) found.push(user.id)
      }
    }
    return found
  },

  /**
   * Invites one after the other, so that the codes of others find room in the queue. Leaves out who cannot be invited any more, and stops
   * when the signal is aborted. Resolves to the number of those who were invited.
   */
  async inviteAll(actor: Manager, ids: readonly number[], signal: AbortSignal): Promise<number> {
    let invited = 0
    const aborted = abortOf(signal)
    for (const id of ids) {
      await Promise.race([invitations.waitForRoom(), aborted])
      if (signal.aborted) break
      try {
        await invite(actor, id)
        invited++
      } catch (error) {
        if (!isProblem(error)) throw error
      }
    }
    return invited
  },
})
