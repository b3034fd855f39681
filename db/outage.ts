/** The database is there but cannot serve: full disk, lock held too long, file not readable. */
const outages = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/
/** What the drivers say of a database that has been closed; they give these errors no code. */
const closed = /database connection is not open|driver has already been destroyed/

/** More is asked for at once than may wait. */
export class OverloadError extends Error {}

/** One caller asks for more than its share; others are served. `retryAfter` is in seconds. */
export class ShareError extends Error {
  constructor(
    message: string,
    readonly retryAfter: number,
  ) {
    super(message)
  }
}

/** Whether an error means that the database cannot serve now, and not that a query was wrong. */
export const isOutage = (error: Error & { code?: unknown }): boolean =>
  error instanceof OverloadError ||
  (typeof error.code === 'string' && outages.test(error.code)) ||
  closed.test(error.message)

/** The database file cannot be opened. */
export class OpenError extends Error {
  constructor(path: string, cause: Error) {
    super(`The database ${path} cannot be opened: ${cause.message}. Look at DATABASE_URL (databaseUrl).`, { cause })
  }
}
