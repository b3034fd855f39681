import { randomBytes } from 'node:crypto'
import type { Database, Repositories } from '../../db/index.js'
import type { Identity } from '../../db/identities.js'
import type { SessionOwner } from '../../db/sessions.js'
import type { User } from '../../db/users.js'
import type { UserClient } from '../../schemas/login.js'
import type { Settings } from '../../schemas/settings.js'
import type { LinkedIdentity } from '../../schemas/social.js'
import { userTypes } from '../../schemas/user.js'
import type { Clock } from '../clock.js'
import { invalidField, problem } from '../errors/problem.js'
import type { Federation } from './federation.js'
import type { PlatformProof } from './tickets.js'

interface Collaborators {
  db: Database
  clock: Clock
  federation: Federation
  unknownIdentity: Settings['federation']['unknownIdentity']
  isName: (text: string) => boolean
}

/** Which account here an identity elsewhere belongs to. */
export const createLinks = ({ db, clock, federation, unknownIdentity, isName }: Collaborators) => {
  const toLinked = ({ id, platform, displayName, createTime }: Identity): LinkedIdentity => ({
    id,
    platform,
    platformName: federation.nameOf(platform),
    displayName,
    linkTime: createTime,
  })

  const add = ({ identities }: Repositories, user: User, proof: PlatformProof) => {
    const { platform, issuer, subject, displayName } = proof
    const owner = { userId: user.id, tenantId: user.tenantId }
    return identities.add({ ...owner, platform, issuer, subject, displayName, createTime: clock.now() })
  }

  /** Names of new accounts begin with the platform: nobody elsewhere can choose to be called like somebody here. */
  const pickUsername = async ({ users }: Repositories, tenantId: number, { platform, displayName }: PlatformProof) => {
    const wanted = `${platform}-${displayName ?? ''}`
    const isFree = displayName !== null && isName(wanted) && !(await users.findByUsername(tenantId, wanted))
    return isFree ? wanted : `${platform}-${randomBytes(6).toString('hex')}`
  }

  const register = async (repositories: Repositories, tenantId: number, proof: PlatformProof): Promise<User> => {
    const tenant = await repositories.tenants.find(tenantId)
    if (!tenant?.enabled) throw problem('tenant_disabled')
    const username = await pickUsername(repositories, tenantId, proof)
    const { displayName } = proof
    const user = await repositories.users.add(
      {
        tenantId,
        username,
        realName: displayName !== null && isName(displayName) ? displayName : username,
        userType: userTypes.user,
        passwordHash: null,
        forcePasswordChange: false,
      },
      clock.now(),
    )
    await add(repositories, user, proof)
    return user
  }

  const find = async ({ identities, users }: Repositories, tenantId: number, proof: PlatformProof) => {
    const identity = await identities.find(tenantId, proof)
    return identity && users.find(identity.userId)
  }

  return {
    /**
     * The user of a tenant that an identity belongs to; a new one where the configuration says `register`.
     * Throws `invalid_grant`, `tenant_disabled`.
     */
    async resolve(proof: PlatformProof, tenantId: number): Promise<User> {
      const known = await find(db, tenantId, proof)
      if (known) return known
      if (unknownIdentity === 'refuse') {
        throw problem('invalid_grant', { faults: [{ field: 'socialTicket', rule: 'identity_unknown' }] })
      }
      // Looked for once more: a parallel first sign-in of the same identity may have been faster.
      return db.transaction(
        async (repositories) => (await find(repositories, tenantId, proof)) ?? register(repositories, tenantId, proof),
      )
    },

    /** Links the identity of a ticket that began in the session of the caller. Throws `invalid_grant`, `invalid_request`. */
    async link({ session, user }: SessionOwner, ticket: string): Promise<LinkedIdentity> {
      const place = { tenantId: user.tenantId, userClient: session.userClient as UserClient }
      const proof = await federation.takeTicketToLink(ticket, place, session.id)
      return db.transaction(async (repositories) => {
        const known = await repositories.identities.find(user.tenantId, proof)
        if (known && known.userId !== user.id) throw invalidField('socialTicket', 'identity_taken')
        return toLinked(known ?? (await add(repositories, user, proof)))
      })
    },

    list: async ({ user }: SessionOwner): Promise<LinkedIdentity[]> =>
      (await db.identities.ofUser(user.id)).map(toLinked),

    /** Throws `not_found`; `invalid_request` for what is the only way in to the account. */
    unlink: ({ user: { id: userId } }: SessionOwner, id: number): Promise<void> =>
      db.transaction(async ({ identities, users }) => {
        const own = await identities.ofUser(userId)
        if (!own.some((identity) => identity.id === id)) throw problem('not_found')
        const user = await users.find(userId)
        const hasOtherWay = [user?.passwordHash, user?.phone, user?.email].some((way) => way != null)
        if (own.length === 1 && !hasOtherWay) throw invalidField('id', 'last_way_in')
        await identities.remove(id)
      }),
  }
}

export type Links = ReturnType<typeof createLinks>
