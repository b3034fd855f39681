import type { CreateTableBuilder } from 'kysely'

/**
 * Adds the primary key `id`, numbered by the database. AUTOINCREMENT never hands out the number of a deleted row
 * again: a new account must not inherit the subject of an old token.
 */
export const identity = <T extends string>(table: CreateTableBuilder<T>) =>
  table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
