import { sql, type Kysely } from 'kysely'
import type { EngineCopying } from '../port.js'
import type { Tables } from '../tables.js'

/** Who waits longer than this for a process that uses the target gives up. */
const lockTimeout = '5s'

/** The sequences of the ids, by table. */
const findSequences = async (db: Kysely<Tables>) => {
  const { rows } = await sql<{ table: string; sequence: string }>`
    select table_name as table, pg_get_serial_sequence(quote_ident(table_name), 'id') as sequence
    from information_schema.columns
    where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`.execute(db)
  return rows
}

/** A copy takes longer than the server may let a transaction wait for its client. */
const allowPauses = (db: Kysely<Tables>) => sql`set local idle_in_transaction_session_timeout = 0`.execute(db)

/**
 * Runs `work` without the indexes that no constraint needs, because to build them afterwards takes less time, and without
 * triggers: nobody has read anything yet that could have changed.
 */
const forManyRows = async <T>(db: Kysely<Tables>, tables: readonly string[], work: () => Promise<T>): Promise<T> => {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = any(${tables}::text[]::regclass[]) and not indisunique`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.raw(name)}`.execute(db)
  for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
  const result = await work()
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
  for (const { definition } of rows) await sql.raw(definition).execute(db)
  return result
}

/** `db` has no limit of time for a statement. */
export const createCopying = (db: Kysely<Tables>): EngineCopying => ({
  read: (work) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        await allowPauses(snapshot)
        return work(snapshot)
      }),

  write: (tables, work) =>
    db.transaction().execute(async (transaction) => {
      const names = sql.join(tables.map((name) => sql.table(name)))
      await allowPauses(transaction)
      await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction)
      await sql`lock table ${names} in access exclusive mode`.execute(transaction)
      const result = await forManyRows(transaction, tables, () => work(transaction))
      // Without it the first queries would be planned for empty tables.
      await sql`analyze ${names}`.execute(transaction)
      return result
    }),

  async lastIds(snapshot) {
    const lastIds = new Map<string, number>()
    for (const { table, sequence } of await findSequences(snapshot)) {
      const { rows } = await sql<{ last: number }>`
        select case when is_called then last_value else last_value - 1 end as last from ${sql.raw(sequence)}`.execute(
        snapshot,
      )
      lastIds.set(table, rows[0]?.last ?? 0)
    }
    return lastIds
  },

  async setLastIds(transaction, lastIds) {
    for (const { table } of await findSequences(transaction)) {
      // Unlike setval(), this is undone when the transaction fails.
      const next = sql.lit((lastIds.get(table) ?? 0) + 1)
      await sql`alter table ${sql.table(table)} alter column id restart with ${next}`.execute(transaction)
    }
  },
})
