import { isEngineOutage } from './engine.js'

/** What Kysely says of a database that has been closed; it gives the error no code. */
const closed = 'driver has already been destroyed'

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

/** Whether an error means that the database cannot serve now, and not that a query was wrong. Anything may be thrown. */
export const isOutage = (error: unknown): boolean =>
  error instanceof OverloadError ||
  (error instanceof Error && (error.message.includes(closed) || isEngineOutage(error)))

/** The database cannot be opened. */
export class OpenError extends Error {
  constructor(address: string, cause: Error) {
    super(`The database ${address} cannot be opened: ${cause.message}. Look at DATABASE_URL (databaseUrl).`, { cause })
  }
}
