import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a signing key signs by. Those of before sign access tokens. */
export const keyAlgorithms: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('signing_keys')
      .addColumn('algorithm', 'text', (column) => column.notNull().defaultTo('ES256'))
      .execute()
  },
}
