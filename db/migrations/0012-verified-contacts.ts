import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A phone number or e-mail address of a user in its compared form, so that a changed contact is not verified. */
export const verifiedContacts: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('verified_contacts')
      .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('contact', 'text', (column) => column.notNull())
      .addColumn('time', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('verified_contacts_key', ['user_id', 'contact'])
      .execute()
  },
}
