import type { Database } from '../../db/index.js'
import type { Identity } from '../../db/repositories/identities.js'
import type { User } from '../../db/repositories/users.js'
import type { Clock } from '../../lib/clock.js'
import { invalidField } from '../../lib/problem.js'

interface Collaborators {
  db: Database
  clock: Clock
  findUser: (username: string, tenantId?: number) => Promise<User>
}

/** What operators do with the linked identities of users. Everything throws `invalid_request` about the field that is wrong. */
export const createIdentityAdministration = ({ db, clock, findUser }: Collaborators) => ({
  /** The oldest first. */
  listOf: async (username: string, tenantId?: number): Promise<Identity[]> =>
    db.identities.ofUser((await findUser(username, tenantId)).id),

  /** Unlinks one, or, without `id`, all, and ends the sessions that they signed in. Resolves to how many. */
  async removeOf(username: string, id: number | undefined, tenantId?: number): Promise<number> {
    const user = await findUser(username, tenantId)
    return db.transaction(async ({ identities, sessions }) => {
      const linked = (await identities.ofUser(user.id)).map((identity) => identity.id)
      if (id !== undefined && !linked.includes(id)) throw invalidField('identity', 'unknown_identity')
      const ids = id === undefined ? linked : [id]
      await identities.remove(ids)
      if (ids.length > 0) await sessions.endOfIdentities(user.id, ids, clock.now())
      return ids.length
    })
  },
})
