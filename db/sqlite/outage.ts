/** The file is there but cannot serve: full disk, lock held too long, file not readable. */
const outages = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/
/** What better-sqlite3 says of a closed connection; it gives the error no code. */
const closed = 'database connection is not open'

/** Whether an error of SQLite means that the database cannot serve now, and not that a query was wrong. */
export const isSqliteOutage = (error: Error & { code?: unknown }): boolean =>
  (typeof error.code === 'string' && outages.test(error.code)) || error.message.includes(closed)
