import type { Database } from '../../../db/index.js'
import type { Identity } from '../../../db/repositories/identities.js'
import type { User } from '../../../db/repositories/users.js'
import { operatorActor } from '../../../lib/actor.js'
import type { Clock } from '../../../lib/clock.js'
import { invalidField } from '../../../lib/problem.js'
import type { Audit } from '../../record/audit/audit.js'
import { unlinkOf } from './audit-events.js'

interface Collaborators {
  audit: Pick<Audit, 'record'>
  db: Database
  clock: Clock
  findUser: (username: string, tenantId?: number) => Promise<User>
}

/** Operators list and remove the linked identities of users. Throws `invalid_request` for an invalid field. */
export const createIdentityAdministration = ({ audit, db, clock, findUser }: Collaborators) => ({
  /** Oldest first. */
  listOf: async (username: string, tenantId?: number): Promise<Identity[]> =>
    db.identities.ofUser((await findUser(username, tenantId)).id),

  /**
   * Removes the identity `id`, or all without an `id`, and ends the sessions that were started with them. Resolves to the
   * number of removed identities. `transact` runs the change in a transaction; that of `management` also checks that an
   * administrator can still sign in.
   */
  async removeOf(
    username: string,
    id: number | undefined,
    tenantId?: number,
    transact: Database['transaction'] = (work) => db.transaction(work),
  ): Promise<number> {
    const user = await findUser(username, tenantId)
    return transact(async (inside) => {
      const linked = await inside.identities.ofUser(user.id)
      const known = linked.map((identity) => identity.id)
      if (id !== undefined && !known.includes(id)) throw invalidField('identity', 'unknown_identity')
      const ids = id === undefined ? known : [id]
      await inside.identities.remove(ids)
      if (ids.length > 0) await inside.sessions.endOfIdentities(user.id, ids, clock.now())
      for (const one of linked.filter((identity) => ids.includes(identity.id)))
        await audit.record(inside, operatorActor(), unlinkOf(user, one))
      return ids.length
    })
  },
})

export type IdentityAdministration = ReturnType<typeof createIdentityAdministration>
