import type { Tables } from './tables.js'

export type TableName = keyof Tables
type Column<Table extends TableName> = keyof Tables[Table] & string

/** A column of texts that are encrypted with the master secret. */
export interface EncryptedColumn<Table extends TableName = TableName> {
  column: Column<Table>
  /** What a text is encrypted for, by the key of its row (see `createEncryption`). */
  purposeOf: (key: string) => string
  /** The beginnings of the keys of rows whose texts are encrypted; absent means all rows. */
  keysFrom?: readonly string[]
}

/**
 * What a repository says about one of its tables. `rollcall copy`, `rollcall keys rewrap`, housekeeping and the check of the rights of a
 * PostgreSQL role read it, so that a new table is described once, beside its queries.
 */
export interface KeptTable<Table extends TableName = TableName> {
  /** The primary key. Rows are copied in its order. */
  key: readonly Column<Table>[]
  /** The user to whom a row belongs. The database deletes it with the user (`on delete cascade`). */
  ofUser?: Column<Table>
  /** When a row expires, epoch milliseconds. With `keptFor` it is deleted as many days later as that setting (`keepDays`) says. */
  expires?: { column: Column<Table>; keptFor?: 'loginLog' | 'audit' }
  encrypted?: EncryptedColumn<Table>
  /** Captchas, codes, lockouts and counters: copied on request only, and written without waiting for the disk. */
  isShortLived?: true
}

/** The tables of a repository. */
export type Keeps = { readonly [Table in TableName]?: KeptTable<Table> }
