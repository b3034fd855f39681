/** The database cannot serve: full disk, lock held too long, file not readable. */
const outages = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/
/** better-sqlite3's message for a closed connection; the error has no code. */
const closed = 'database connection is not open'

/** Whether an error means that the database cannot serve now; otherwise the query was wrong. */
export const isSqliteOutage = (error: Error & { code?: unknown }): boolean =>
  (typeof error.code === 'string' && outages.test(error.code)) || error.message.includes(closed)
