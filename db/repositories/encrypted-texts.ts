import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.js'

/** A column of texts that are encrypted with the master secret. */
interface Place {
  table: keyof Tables
  /** The column by which rows are found. */
  id: string
  column: string
  /** What a text is encrypted for, by the id of its row (see `createEncryption`). */
  purposeOf: (id: string) => string
  /** The beginning of the ids of rows whose texts are encrypted; absent means all rows. */
  ids?: string
}

const places: Place[] = [
  { table: 'signing_keys', id: 'kid', column: 'sealed_private_jwk', purposeOf: (kid) => `signing key ${kid}` },
  { table: 'sessions', id: 'id', column: 'sealed_token', purposeOf: (id) => `session ${id}` },
  { table: 'totp_secrets', id: 'id', column: 'encrypted_secret', purposeOf: (id) => `totp ${id}` },
  // Sign-ins at a provider, and authenticator apps that are being set up.
  { table: 'store', id: 'key', column: 'value', purposeOf: (key) => key, ids: 'federation:state:' },
  { table: 'store', id: 'key', column: 'value', purposeOf: (key) => key, ids: 'factor:enrol:' },
]

interface Row {
  id: string
  text: string
}

/** Encrypts a text anew for the same purpose. */
export type Reencrypt = (text: string, purpose: string) => string

const pageSize = 500

export type EncryptedTextRepository = ReturnType<typeof createEncryptedTextRepository>

/** Everything in the database that is encrypted with the master secret. */
export const createEncryptedTextRepository = (db: Kysely<Tables>) => ({
  /** Replaces every encrypted text; returns how many there were. To be called in a transaction. */
  async reencryptAll(reencrypt: Reencrypt): Promise<number> {
    let count = 0
    for (const { table, id, column, purposeOf, ids = '' } of places) {
      const [from, key, value] = [sql.table(table), sql.ref(id), sql.ref(column)]
      for (let after: string | undefined = ''; after !== undefined;) {
        const { rows }: { rows: Row[] } = await sql<Row>`
          select ${key} as id, ${value} as text from ${from}
          where ${key} > ${after} and ${key} like ${`${ids}%`} and ${value} is not null
          order by ${key} limit ${pageSize}`.execute(db)
        for (const { id, text } of rows)
          await sql`update ${from} set ${value} = ${reencrypt(text, purposeOf(id))} where ${key} = ${id}`.execute(db)
        count += rows.length
        after = rows.length < pageSize ? undefined : rows.at(-1)?.id
      }
    }
    return count
  },
})
