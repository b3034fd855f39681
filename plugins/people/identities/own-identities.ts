import type { Identity } from '../../../db/repositories/identities.js'
import type { SessionOwner } from '../../../db/repositories/sessions.js'
import type { LinkedIdentity } from '../../../schemas/social.js'
import type { Needs } from '../../../lib/needs.js'
import { actorOfCaller, type ActorSource } from '../../../lib/actor.js'
import { invalidField, problem } from '../../../lib/problem.js'
import { linkOf, unlinkOf } from './audit-events.js'

/** Limit per account, because anyone who controls a linked identity can sign in. */
const maxIdentities = 10

/** Users list, add and remove their own linked identities. `source` is where the request comes from. */
export const createOwnIdentities = (
  needs: Needs<'accounts' | 'audit' | 'clock' | 'db' | 'federation' | 'login' | 'notices'>,
) => {
  const { audit, clock, db, federation, notices } = needs
  const { provePasswordOrFactor } = needs.accounts
  const { signInCheckFor } = needs.login.ofTenant

  const toLinked = ({ id, platform, displayName, createTime }: Identity): LinkedIdentity => ({
    id,
    platform,
    platformName: federation.nameOf(platform),
    displayName,
    linkTime: createTime,
  })

  return {
    toLinked,

    list: async ({ user }: SessionOwner): Promise<LinkedIdentity[]> =>
      (await db.identities.ofUser(user.id)).map(toLinked),

    /**
     * Links the identity of a ticket whose sign-in was started in the caller's session. The caller must send the password
     * or have signed in recently. Throws `invalid_grant`, `invalid_request`, `invalid_credentials`,
     * `fresh_sign_in_required`, `too_many_attempts`.
     */
    async link(
      caller: SessionOwner,
      { socialTicket, password }: { socialTicket: string; password?: string },
      source: ActorSource,
    ): Promise<LinkedIdentity> {
      const { session, user } = caller
      await provePasswordOrFactor(caller, password, source.address)
      const target = { tenantId: user.tenantId, userClient: session.userClient }
      const external = await federation.takeTicketToLink(socialTicket, target, session.id)
      const { linked, isNew } = await db.transaction(
        async (repositories) => {
          const known = await repositories.identities.find(user.tenantId, external)
          if (known && known.userId !== user.id) throw invalidField('socialTicket', 'identity_taken')
          if (known) return { linked: known, isNew: false }
          const own = await repositories.identities.ofUser(user.id)
          if (own.length >= maxIdentities)
            throw invalidField('socialTicket', 'identity_limit', { limit: maxIdentities })
          const linked = await federation.owners.add(repositories, user, external)
          await audit.record(repositories, actorOfCaller(caller, source), linkOf(user, linked))
          return { linked, isNew: true }
        },
        { user: user.id },
      )
      if (isNew) notices.tell(user, 'identity_linked', source, { platform: federation.nameOf(linked.platform) })
      return toLinked(linked)
    },

    /**
     * Removes an identity and ends the sessions that were started with it, except the caller's. Asks for what linking asks for. Throws
     * `not_found`, `fresh_sign_in_required`, `step_up_required`, and `invalid_request` if the caller could not sign in any more.
     */
    async unlink(caller: SessionOwner, id: number, source: ActorSource): Promise<void> {
      await provePasswordOrFactor(caller, undefined, source.address)
      const {
        user: { id: userId, tenantId },
        session,
      } = caller
      const canStillSignIn = await signInCheckFor(tenantId)
      const { user, platform } = await db.transaction(
        async (inside) => {
          const { identities, sessions, users } = inside
          const own = await identities.ofUser(userId)
          const identity = own.find((one) => one.id === id)
          const user = await users.find(userId)
          if (!identity || !user) throw problem('not_found')
          const others = own.filter((one) => one.id !== id)
          if (!canStillSignIn(user, others, await inside.passkeys.ofUser(userId)))
            throw invalidField('id', 'last_way_in')
          await identities.remove([id])
          await sessions.endOfIdentities(userId, [id], clock.now(), session.id)
          await audit.record(inside, actorOfCaller(caller, source), unlinkOf(user, identity))
          return { user, platform: identity.platform }
        },
        { user: userId },
      )
      notices.tell(user, 'identity_unlinked', source, { platform: federation.nameOf(platform) })
    },
  }
}
