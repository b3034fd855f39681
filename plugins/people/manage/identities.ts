import type { Repositories } from '../../../db/index.js'
import type { Identity } from '../../../db/repositories/identities.js'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { maskContact } from '../../../lib/mask.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { seesContacts } from '../../../lib/sees-contacts.js'
import type { LinkedIdentity } from '../../../schemas/social.js'
import { readToChange, type Change } from './change.js'
import { isVisible, type Manager } from './policy.js'

/** What administrators see of the linked identities of users, and how they remove one. */
export const createManagedIdentities = (
  { audit, clock, db, linkedIdentities, notices }: Needs<'audit' | 'clock' | 'db' | 'linkedIdentities' | 'notices'>,
  change: Change,
) => {
  /** Removes identities of a user and ends the sessions that were started with them. */
  const unlink = async (inside: Repositories, actor: Manager, user: User, identities: Identity[]): Promise<void> => {
    const ids = identities.map(({ id }) => id)
    await inside.identities.remove(ids)
    if (ids.length > 0) await inside.sessions.endOfIdentities(user.id, ids, clock.now())
    const events = identities.map((identity) => linkedIdentities.unlinkOf(user, identity))
    await audit.recordAll(inside, actor, events)
  }

  return {
    /** Oldest first. Throws `not_found`. */
    async list(actor: Manager, id: number): Promise<LinkedIdentity[]> {
      const user = await db.users.find(id)
      if (!user || !isVisible(actor, user.tenantId)) throw problem('not_found')
      const linked = (await db.identities.ofUser(id)).map(linkedIdentities.toLinked)
      if (seesContacts(actor.caller)) return linked
      return linked.map((one) => ({
        ...one,
        displayName: one.displayName === null ? null : maskContact(one.displayName),
      }))
    },

    /**
     * Removes one and ends the sessions that were started with it. Throws `not_found`, `own_account`, `permission_denied` and
     * `last_administrator`.
     */
    async remove(actor: Manager, id: number, identityId: number): Promise<void> {
      const { user, platformName } = await change(
        async (inside) => {
          const { user } = await readToChange(inside, actor, id)
          const identity = (await inside.identities.ofUser(id)).find((one) => one.id === identityId)
          if (!identity) throw problem('not_found')
          await unlink(inside, actor, user, [identity])
          return { user, platformName: linkedIdentities.toLinked(identity).platformName }
        },
        { administration: true, user: id },
      )
      notices.tell(user, 'identity_unlinked', actor, { platform: platformName })
    },

    /**
     * Removes the identity `id` of a user, or all without an `id`, for a command: the user gets no notice. Resolves to the number
     * of removed identities. Throws `invalid_request` and `last_administrator`.
     */
    removeOf: (actor: Manager, user: User, id: number | undefined): Promise<number> =>
      change(async (inside) => {
        const linked = await inside.identities.ofUser(user.id)
        const removed = id === undefined ? linked : linked.filter((identity) => identity.id === id)
        if (id !== undefined && removed.length === 0) throw invalidField('identity', 'unknown_identity')
        await unlink(inside, actor, user, removed)
        return removed.length
      }),
  }
}
