import type { Repositories } from '../../../db/index.js'
import type { Contact } from '../../../db/sign-in-names.js'
import type { NewUser, User, UserChange } from '../../../db/repositories/users.js'
import { userStatuses } from '../../../schemas/user.js'
import type { Clock } from '../../../lib/clock.js'
import { checkFree } from './free-names.js'

/** How a password is set. */
export interface NewPassword {
  forcePasswordChange?: boolean
  ownSession?: string
  endTokens: boolean
}

/**
 * Every change of a user that is there, with what follows from it for the sessions. Others decide who may change what, call these
 * inside their transaction, and record it.
 */
export const createUserWrites = (clock: Clock) => {
  const endSessions = ({ sessions }: Repositories, id: number): Promise<void> =>
    sessions.endOfUser(id, 'disabled', clock.now())

  return {
    /** Adds a user whose names are known to be free. */
    add: ({ users }: Repositories, user: NewUser): Promise<User> => users.add(user, clock.now()),

    /**
     * Changes fields; a user that is no longer enabled loses its sessions. Resolves to undefined for a user that is gone. Throws
     * `invalid_request` for a name or contact that another user of the tenant has.
     */
    async change(inside: Repositories, { id, tenantId }: User, change: UserChange): Promise<User | undefined> {
      await checkFree(inside.users, { tenantId, ...change }, id)
      if ((change.userStatus ?? userStatuses.normal) !== userStatuses.normal) {
        await endSessions(inside, id)
        await inside.trustedDevices.removeOfUser(id)
      }
      return inside.users.change(id, change, clock.now())
    },

    /**
     * Replaces the roles. Ends no session: permissions are read at each request. The user gets a new version, because roles are part of
     * what `If-Match` names.
     */
    async setRoles({ roles, users }: Repositories, id: number, roleIds: number[]): Promise<void> {
      await roles.replace(id, roleIds)
      await users.change(id, {}, clock.now())
    },

    /**
     * Sets the password and ends the sessions, but for the one in which the owner has set it, and with `endTokens` the API tokens, too.
     * Resolves to what the audit trail says beside it.
     */
    async setPassword(
      { users, sessions, trustedDevices, apiTokens }: Repositories,
      id: number,
      passwordHash: string,
      { forcePasswordChange = false, ownSession, endTokens }: NewPassword,
    ): Promise<{ after?: { endedTokens: number } }> {
      await users.setPassword(id, passwordHash, forcePasswordChange, clock.now())
      await trustedDevices.removeOfUser(id)
      await sessions.endOfUser(id, 'password_changed', clock.now(), ownSession)
      const { length: endedTokens } = endTokens ? await apiTokens.end(id, clock.now()) : []
      return endedTokens > 0 ? { after: { endedTokens } } : {}
    },

    /**
     * Notes that the second factors have changed: whether there is one now. Ends the sessions, but for the one in which the owner has
     * changed them, and no browser is trusted any more.
     */
    async noteFactors(
      { users, sessions, trustedDevices, totpSecrets, passkeys, recoveryCodes }: Repositories,
      id: number,
      ownSession?: string,
    ): Promise<void> {
      const hasSecondFactor = (await totpSecrets.ofUser(id)).length + (await passkeys.ofUser(id)).length > 0
      if (!hasSecondFactor) await recoveryCodes.removeOfUser(id)
      await users.setHasSecondFactor(id, hasSecondFactor, clock.now())
      await trustedDevices.removeOfUser(id)
      await sessions.endOfUser(id, 'revoked', clock.now(), ownSession)
    },

    /** Notes that the user is invited now. */
    invite: ({ users }: Repositories, id: number): Promise<void> => users.setInvited(id, clock.now()),

    /** Keeps the user from signing in until `expiry`, epoch milliseconds. */
    async ban(inside: Repositories, id: number, ban: { expiry: number; reason: string | null }): Promise<void> {
      await endSessions(inside, id)
      await inside.users.setBan(id, ban, clock.now())
    },

    unban: ({ users }: Repositories, id: number): Promise<void> => users.setBan(id, null, clock.now()),

    /** The owner has shown to receive messages there: from now on the contact signs in with the password, too. */
    verifyContact: (
      { verifiedContacts }: Pick<Repositories, 'verifiedContacts'>,
      id: number,
      contact: Contact,
    ): Promise<void> => verifiedContacts.add(id, contact, clock.now()),

    /** Deletes a user with everything that belongs to it. */
    async remove({ users, sessions }: Repositories, id: number): Promise<void> {
      // Those who learn of the ends of sessions learn of these, too.
      await sessions.endOfUser(id, 'revoked', clock.now())
      await users.remove(id)
    },

    /** Replaces a hash by a stronger one of the same password. False if the password has changed since. */
    strengthenHash: ({ users }: Pick<Repositories, 'users'>, id: number, hash: { old: string; stronger: string }) =>
      users.rehash(id, hash.old, hash.stronger),
  }
}

export type UserWrites = ReturnType<typeof createUserWrites>
