import type { Kysely } from 'kysely'
import type { Keeps } from '../keeps.js'
import { nameKey, type Contact } from '../sign-in-names.js'
import type { Tables } from '../tables.js'

/** What this repository keeps. */
export const keeps = {
  verified_contacts: { key: ['user_id', 'contact'], ofUser: 'user_id' },
} satisfies Keeps

export type VerifiedContactRepository = ReturnType<typeof createVerifiedContactRepository>

/**
 * Phone numbers (E.164) and e-mail addresses that are known to reach the user: a code sent there was used, or an
 * operator confirmed them.
 */
export const createVerifiedContactRepository = (db: Kysely<Tables>) => ({
  async isVerified(userId: number, contact: Contact): Promise<boolean> {
    const row = await db
      .selectFrom('verified_contacts')
      .select('time')
      .where('user_id', '=', userId)
      .where('contact', '=', nameKey(contact))
      .executeTakeFirst()
    return row !== undefined
  },

  async add(userId: number, contact: Contact, now: number): Promise<void> {
    await db
      .insertInto('verified_contacts')
      .values({ user_id: userId, contact: nameKey(contact), time: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },
})
