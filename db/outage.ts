import { isEngineOutage } from './engine.js'

/** Kysely's message for a closed database; the error has no code. */
const closed = 'driver has already been destroyed'

/** Too many requests wait. */
export class OverloadError extends Error {}

/** A text with a NUL character: PostgreSQL stores none. */
export class InvalidTextError extends Error {
  constructor() {
    super('A text with a NUL character cannot be stored')
  }
}

/** Whether an error means that the database cannot serve now; otherwise the query was wrong. */
export const isOutage = (error: unknown): boolean =>
  error instanceof OverloadError ||
  (error instanceof Error && (error.message.includes(closed) || isEngineOutage(error)))

/** The database cannot be opened. The message is for operators. */
export class OpenError extends Error {
  constructor(address: string, cause: Error) {
    super(`The database ${address} cannot be opened: ${cause.message}. Look at DATABASE_URL (databaseUrl).`, { cause })
  }
}
