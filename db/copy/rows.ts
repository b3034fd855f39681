import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.js'
import type { CopiedTable } from './tables.js'

/** A row as the engine returns it: numbers, texts and null. */
export type Row = Record<string, unknown>

/** Rows in memory at a time. */
const pageSize = 1000

/** All rows of a table in the order of its key, some at a time. Each engine has the same order. */
export const readRows = async function* (db: Kysely<Tables>, { name, key }: CopiedTable): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const next = async (last: Row | undefined) => {
    const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`
    const query = sql<Row>`select * from ${sql.table(name)} ${after ?? sql``} order by ${columns} limit ${pageSize}`
    return (await query.execute(db)).rows
  }
  for (let rows = await next(undefined); rows.length > 0; rows = await next(rows.at(-1))) yield rows
}

export const countRows = async (db: Kysely<Tables>, { name }: CopiedTable): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db)
  return rows[0]?.count ?? 0
}

export const hasRows = async (db: Kysely<Tables>, { name }: CopiedTable): Promise<boolean> => {
  const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
  return rows.length > 0
}

/** The number of the rows that were added, and the SHA-256 of all their columns, whose order makes no difference. */
export const createDigest = () => {
  const hash = createHash('sha256')
  let columns: string[] | undefined
  let count = 0
  return {
    add(rows: Row[]): void {
      columns ??= Object.keys(rows[0] ?? {}).sort()
      for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`)
      count += rows.length
    },
    result: () => ({ count, sha256: hash.update(JSON.stringify(columns ?? [])).digest('hex') }),
  }
}
