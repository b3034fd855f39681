import type { Repositories } from '../../../db/index.js'
import type { User } from '../../../db/repositories/users.js'
import type { Needs } from '../../../lib/needs.js'
import { problem } from '../../../lib/problem.js'
import type { AuthenticatedUser } from '../../sessions/sessions/start.js'
import type { PlatformIdentity } from './tickets.js'

/** Adds a user who signs in at a platform and has no account yet, inside a transaction. */
export type AddUser = (inside: Repositories, tenantId: number, person: PlatformIdentity) => Promise<User>

/** Finds or creates the user of a linked identity. */
export const createIdentityOwners = (
  { clock, db, installation }: Needs<'clock' | 'db' | 'installation'>,
  addUser: AddUser,
) => {
  const { unknownIdentity } = installation.settings.federation

  const add = ({ identities }: Repositories, user: User, external: PlatformIdentity) => {
    const { platform, issuer, subject, displayName } = external
    const owner = { userId: user.id, tenantId: user.tenantId }
    return identities.add({ ...owner, platform, issuer, subject, displayName, createTime: clock.now() })
  }

  const register = async (
    repositories: Repositories,
    tenantId: number,
    external: PlatformIdentity,
  ): Promise<AuthenticatedUser> => {
    const tenant = await repositories.tenants.find(tenantId)
    if (!tenant?.enabled) throw problem('tenant_disabled')
    const user = await addUser(repositories, tenantId, external)
    const { id: identityId } = await add(repositories, user, external)
    return { ...user, identityId, isTwoFactors: external.isTwoFactors }
  }

  const find = async (
    { identities, users }: Repositories,
    tenantId: number,
    external: PlatformIdentity,
  ): Promise<AuthenticatedUser | undefined> => {
    const identity = await identities.find(tenantId, external)
    const user = identity && (await users.find(identity.userId))
    return user && { ...user, identityId: identity.id, isTwoFactors: external.isTwoFactors }
  }

  return {
    /** Links an identity to a user, inside a transaction. */
    add,

    /**
     * The user to whom an identity is linked in a tenant. For an unknown identity, `unknownIdentity: register` creates a
     * new user. Throws `invalid_grant`, `tenant_disabled`.
     */
    async resolve(external: PlatformIdentity, tenantId: number): Promise<AuthenticatedUser> {
      const known = await find(db, tenantId, external)
      if (known) return known
      if (unknownIdentity === 'refuse') {
        throw problem('invalid_grant', { faults: [{ field: 'socialTicket', rule: 'identity_unknown' }] })
      }
      // Checked again inside the transaction: a parallel sign-in may have created the user meanwhile.
      return db.transaction(
        async (repositories) =>
          (await find(repositories, tenantId, external)) ?? register(repositories, tenantId, external),
      )
    },
  }
}

export type IdentityOwners = ReturnType<typeof createIdentityOwners>
