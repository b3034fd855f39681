import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EngineSchema } from '../port.js'

/** Whether a contact is verified is cached with the user, so other processes have to be told. */
export const loggedContacts = (schema: EngineSchema): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await schema.logChangesOf(db, 'verified_contacts')
  },
})
