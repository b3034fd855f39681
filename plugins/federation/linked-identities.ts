import { randomBytes } from 'node:crypto'
import type { Database, Repositories } from '../../db/index.js'
import type { User } from '../../db/repositories/users.js'
import type { Settings } from '../../schemas/settings.js'
import { userTypes } from '../../schemas/user.js'
import type { Clock } from '../../lib/clock.js'
import { problem } from '../../lib/problem.js'
import type { AuthenticatedUser } from '../sessions/start.js'
import type { PlatformIdentity } from './tickets.js'

interface Collaborators {
  db: Database
  clock: Clock
  unknownIdentity: Settings['federation']['unknownIdentity']
  isName: (text: string) => boolean
}

/** Which account here an identity elsewhere belongs to. */
export const createLinkedIdentities = ({ db, clock, unknownIdentity, isName }: Collaborators) => {
  const add = ({ identities }: Repositories, user: User, external: PlatformIdentity) => {
    const { platform, issuer, subject, displayName } = external
    const owner = { userId: user.id, tenantId: user.tenantId }
    return identities.add({ ...owner, platform, issuer, subject, displayName, createTime: clock.now() })
  }

  /** Names of new accounts begin with the platform: nobody elsewhere can choose to be called like somebody here. */
  const pickUsername = async (
    { users }: Repositories,
    tenantId: number,
    { platform, displayName }: PlatformIdentity,
  ) => {
    const wanted = `${platform}-${displayName ?? ''}`
    const isFree = displayName !== null && isName(wanted) && !(await users.findByUsername(tenantId, wanted))
    return isFree ? wanted : `${platform}-${randomBytes(6).toString('hex')}`
  }

  const register = async (
    repositories: Repositories,
    tenantId: number,
    external: PlatformIdentity,
  ): Promise<AuthenticatedUser> => {
    const tenant = await repositories.tenants.find(tenantId)
    if (!tenant?.enabled) throw problem('tenant_disabled')
    const username = await pickUsername(repositories, tenantId, external)
    const { displayName } = external
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
    const { id: identityId } = await add(repositories, user, external)
    return { ...user, identityId }
  }

  const find = async (
    { identities, users }: Repositories,
    tenantId: number,
    external: PlatformIdentity,
  ): Promise<AuthenticatedUser | undefined> => {
    const identity = await identities.find(tenantId, external)
    const user = identity && (await users.find(identity.userId))
    return user && { ...user, identityId: identity.id }
  }

  return {
    /** Links an identity to a user, inside a transaction. */
    add,

    /**
     * The user of a tenant that an identity belongs to; a new one where the configuration says `register`.
     * Throws `invalid_grant`, `tenant_disabled`.
     */
    async resolve(external: PlatformIdentity, tenantId: number): Promise<AuthenticatedUser> {
      const known = await find(db, tenantId, external)
      if (known) return known
      if (unknownIdentity === 'refuse') {
        throw problem('invalid_grant', { faults: [{ field: 'socialTicket', rule: 'identity_unknown' }] })
      }
      // Looked for once more: a parallel first sign-in of the same identity may have been faster.
      return db.transaction(
        async (repositories) =>
          (await find(repositories, tenantId, external)) ?? register(repositories, tenantId, external),
      )
    },
  }
}

export type LinkedIdentities = ReturnType<typeof createLinkedIdentities>
