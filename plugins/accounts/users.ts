import type { Database } from '../../db/index.js'
import { signInNames } from '../../db/sign-in-names.js'
import type { Session } from '../../db/repositories/sessions.js'
import type { User } from '../../db/repositories/users.js'
import { userStatuses } from '../../schemas/user.js'
import type { Attempts } from '../attempts/attempts.js'
import { operatorActor } from '../../lib/actor.js'
import type { Clock } from '../../lib/clock.js'
import { invalidField } from '../../lib/problem.js'
import type { Audit } from '../audit/audit.js'
import type { Passwords } from '../passwords/index.js'
import type { Accounts, AccountToAdd } from './account.js'
import type { Lookups } from './lookups.js'

export interface Collaborators {
  audit: Pick<Audit, 'record' | 'recordSessionEnds'>
  db: Database
  passwords: Passwords
  attempts: Attempts
  clock: Clock
}

/** Operations on users for operators. All throw `invalid_request` for an invalid field. */
export const createUsers = (
  { audit, db, passwords, attempts, clock }: Collaborators,
  { findTenant, findUser }: Lookups,
  accounts: Accounts,
) => {
  return {
    async addUser(account: AccountToAdd): Promise<User> {
      const hashed = await accounts.hashPassword(await accounts.check(account))
      return db.transaction((repositories) => accounts.write(repositories, hashed))
    },

    /** Sets the password of a user and ends the sessions; `unlinkIdentities` also removes all linked identities. */
    async setPassword(
      username: string,
      password: string,
      options: { tenantId?: number | undefined; forcePasswordChange: boolean; unlinkIdentities?: boolean | undefined },
    ): Promise<User> {
      const tenant = await findTenant(options.tenantId)
      const user = await findUser(username, tenant.id)
      passwords.check('password', password, [user.username, tenant.name])
      const passwordHash = await passwords.hash(password)
      await db.transaction(async ({ identities, users, sessions }) => {
        if (options.unlinkIdentities) await identities.removeOfUser(user.id)
        await users.setPassword(user.id, passwordHash, options.forcePasswordChange, clock.now())
        await sessions.endOfUser(user.id, 'password_changed', clock.now())
      })
      return user
    },

    /** Disabling ends the sessions of the user in the same transaction. */
    async setEnabled(username: string, enabled: boolean, tenantId?: number): Promise<User> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      await db.transaction(async ({ users, sessions }) => {
        await users.setStatus(user.id, enabled ? userStatuses.normal : userStatuses.disabled, clock.now())
        if (!enabled) await sessions.endOfUser(user.id, 'disabled', clock.now())
      })
      return user
    },

    /** Live sessions of a user, latest first. */
    async listSessions(username: string, tenantId?: number): Promise<Session[]> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      return db.sessions.live(user.id, clock.now())
    },

    /** Ends the live session `id` of a user, or all without an `id`. Resolves to the number of ended sessions. */
    async endSessions(username: string, id: string | undefined, tenantId?: number): Promise<number> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      const live = (await db.sessions.live(user.id, clock.now())).map((session) => session.id)
      if (id !== undefined && !live.includes(id)) throw invalidField('session', 'unknown_session')
      const ids = id === undefined ? live : [id]
      await db.transaction(async (inside) => {
        await inside.sessions.end(ids, 'revoked', clock.now())
        await audit.recordSessionEnds(inside, operatorActor(), user, ids)
      })
      return ids.length
    },

    /**
     * Marks the phone number or e-mail address of a user as verified, and resolves to the marked contacts. Throws
     * `invalid_request` when the user has none of them.
     */
    async verifyContacts(
      username: string,
      wanted: { phone: boolean; email: boolean },
      tenantId?: number,
    ): Promise<string[]> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      const contacts = [wanted.phone ? user.phoneKey : null, wanted.email ? user.email : null].filter(
        (contact) => contact !== null,
      )
      if (contacts.length === 0) throw invalidField(wanted.phone ? 'phone' : 'email', 'required')
      await db.transaction(async (inside) => {
        for (const contact of contacts) await inside.verifiedContacts.add(user.id, contact, clock.now())
        const target = { type: 'user' as const, id: user.id, name: user.username, tenantId: user.tenantId }
        await audit.record(inside, operatorActor(), { action: 'user.verify', target, after: { contacts } })
      })
      return contacts
    },

    /**
     * Ends the lockout after failed sign-ins, resets the sending limits of codes, and ends the status `locked`. A disabled
     * user stays disabled.
     */
    async unlock(username: string, tenantId?: number): Promise<User> {
      const user = await findUser(username, (await findTenant(tenantId)).id)
      for (const name of signInNames(user)) await attempts.unlock(user.tenantId, name)
      if (user.userStatus === userStatuses.locked) {
        await db.users.setStatus(user.id, userStatuses.normal, clock.now())
      }
      return user
    },
  }
}
