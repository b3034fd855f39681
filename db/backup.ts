import type { ReportProgress } from './progress.js'

/** What a database file contains; it has been checked. */
export interface Contents {
  bytes: number
  users: number
}

export interface BackupOptions {
  /** Replaces an existing file. */
  force: boolean
  /** Aborting leaves everything as it was. */
  signal: AbortSignal
  progress: ReportProgress
}

export interface RestoreOptions extends BackupOptions {
  /** Further checks of a copy of the backup, at a URL for `openDatabase`; throws when it must not be used. */
  check: (url: string) => Promise<void>
}

export interface Restored extends Contents {
  /** Where the database from before is now; null if there was none. */
  previous: string | null
}

/** Backups of a database that is a file. The errors are for operators. */
export interface FileBackup {
  /** Copies the database at `address` to `file`, also while servers write to it. */
  backUp: (address: string, directory: string, file: string, options: BackupOptions) => Promise<Contents>
  /**
   * Replaces the database at `address` by a copy of `file`. Throws, with nothing changed, when a process uses the database.
   * With `force` it does not ask whether one does, if the database is damaged.
   */
  restore: (address: string, directory: string, file: string, options: RestoreOptions) => Promise<Restored>
}
