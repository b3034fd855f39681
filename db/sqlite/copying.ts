import { Kysely, SqliteDialect, sql } from 'kysely'
import type { EngineCopying } from '../port.js'
import type { Tables } from '../tables.js'
import { openReader } from './reader.js'

/** Time to wait for another process that holds the file. Milliseconds. */
const patience = 5000

export const createCopying = (db: Kysely<Tables>, file: string): EngineCopying => ({
  async read(work) {
    // A connection of its own: a transaction of `db` would keep all writers waiting.
    const reader = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openReader(file, patience) }) })
    try {
      return await reader.transaction().execute(work)
    } finally {
      await reader.destroy()
    }
  },

  // There is one writer at a time.
  write: (_tables, work) => db.transaction().execute(work),

  async lastIds(snapshot) {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(snapshot)
    return new Map(rows.map(({ name, seq }) => [name, seq]))
  },

  async setLastIds(transaction, lastIds) {
    for (const [name, seq] of lastIds) {
      // It has a row for each table in which a row was ever inserted.
      await sql`delete from sqlite_sequence where name = ${name}`.execute(transaction)
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${seq})`.execute(transaction)
    }
  },
})
