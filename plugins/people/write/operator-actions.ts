import type { Session } from '../../../db/repositories/sessions.js'
import { contactsOf } from '../../../db/sign-in-names.js'
import type { Needs } from '../../../lib/needs.js'
import { userTarget } from '../../../lib/user-target.js'
import { operatorActor } from '../../../lib/actor.js'
import { invalidField } from '../../../lib/problem.js'
import type { Lookups } from './lookups.js'
import type { UserWrites } from './user-writes.js'

/** Operations on users for operators. All throw `invalid_request` for an invalid field. */
export const createOperatorActions = (
  { audit, clock, db }: Needs<'audit' | 'clock' | 'db'>,
  { findTenant, findUser }: Lookups,
  writes: Pick<UserWrites, 'verifyContact'>,
) => {
  return {
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
      const contacts = contactsOf(user).filter(({ kind }) => wanted[kind])
      if (contacts.length === 0) throw invalidField(wanted.phone ? 'phone' : 'email', 'required')
      await db.transaction(async (inside) => {
        const added: string[] = []
        for (const contact of contacts) {
          if (await inside.verifiedContacts.isVerified(user.id, contact)) continue
          await writes.verifyContact(inside, user.id, contact)
          added.push(contact.text)
        }
        if (added.length === 0) return
        await audit.record(inside, operatorActor(), {
          action: 'user.verify',
          target: userTarget(user),
          after: { contacts: added },
        })
      })
      return contacts.map(({ text }) => text)
    },
  }
}
