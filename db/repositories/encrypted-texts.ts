import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.js'
import { keptTables } from './kept.js'

/** The columns of encrypted texts, by the beginning of the keys of their rows. */
const findPlaces = () =>
  keptTables.flatMap(({ name, key: [key = ''], encrypted }) =>
    encrypted ? (encrypted.keysFrom ?? ['']).map((keyFrom) => ({ name, key, keyFrom, ...encrypted })) : [],
  )

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
    for (const { name, key, column, purposeOf, keyFrom } of findPlaces()) {
      const [from, id, value] = [sql.table(name), sql.ref(key), sql.ref(column)]
      for (let after: string | undefined = ''; after !== undefined;) {
        const { rows }: { rows: Row[] } = await sql<Row>`
          select ${id} as id, ${value} as text from ${from}
          where ${id} > ${after} and ${id} like ${`${keyFrom}%`} and ${value} is not null
          order by ${id} limit ${pageSize}`.execute(db)
        for (const row of rows)
          await sql`update ${from} set ${value} = ${reencrypt(row.text, purposeOf(row.id))} where ${id} = ${row.id}`.execute(
            db,
          )
        count += rows.length
        after = rows.length < pageSize ? undefined : rows.at(-1)?.id
      }
    }
    return count
  },
})
