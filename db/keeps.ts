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
 * What a repository says of a table that it keeps. Copies, the change of the master secret, housekeeping and the check of rights are made of
 * it, so that a new table is said once, beside the queries that read and write it.
 */
export interface KeptTable<Table extends TableName = TableName> {
  /** The primary key. Rows are copied in its order. */
  key: readonly Column<Table>[]
  /** The user to whom a row belongs. The database deletes it with the user (`on delete cascade`). */
  ofUser?: Column<Table>
  /** The time at which a row is over, epoch milliseconds; with `keptFor` rows stay for so many days longer as the setting says. */
  expires?: { column: Column<Table>; keptFor?: 'loginLog' | 'audit' }
  encrypted?: EncryptedColumn<Table>
  /** Captchas, codes, lockouts and counters: copied on request only, and written without waiting for the disk. */
  isShortLived?: true
}

/** What a repository keeps, by table. */
export type Keeps = { readonly [Table in TableName]?: KeptTable<Table> }
