import { toUser, toUserRow, type NewUser } from '../../../db/repositories/user-rows.js'
import type { Clock } from '../../../lib/clock.js'
import type { SignInCheckFor } from '../../identity/login/tenant-methods.js'

interface Collaborators {
  clock: Clock
  signInCheckFor: SignInCheckFor
}

/** Whether users who are about to be added will be able to sign in, by the methods of their tenants: asked once for each tenant of a file. */
export const createWaysInOfImport =
  ({ clock, signInCheckFor }: Collaborators) =>
  () => {
    const checks = new Map<number, ReturnType<SignInCheckFor>>()
    return async (user: NewUser): Promise<boolean> => {
      const check = checks.get(user.tenantId) ?? signInCheckFor(user.tenantId)
      checks.set(user.tenantId, check)
      // Nobody has its id yet. Who is not there has no linked identities and no passkeys.
      const added = toUser({ ...toUserRow({ ...user, createTime: clock.now() }), id: 0 })
      return (await check)(added, [], [])
    }
  }
