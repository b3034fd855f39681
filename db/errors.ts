import { OperatorError } from '../lib/operator-error.js'

/** Too many requests wait. */
export class OverloadError extends Error {}

/** Redis does not answer, or cannot serve. The message has neither the password nor what was asked. */
export class RedisError extends Error {
  constructor(reason: string) {
    super(`Redis cannot serve: ${reason}`)
  }
}

/** A text with a NUL character: PostgreSQL stores none. */
export class InvalidTextError extends Error {
  constructor() {
    super('A text with a NUL character cannot be stored')
  }
}

/** The database, or Redis, cannot be opened. */
export class OpenError extends OperatorError {
  constructor(address: string, cause: Error, { what = 'The database', setting = 'DATABASE_URL (databaseUrl)' } = {}) {
    const isForbidden = 'code' in cause && ['EACCES', 'EPERM', 'EROFS'].includes(String(cause.code))
    const advice = isForbidden ? 'Let this user read and write the file and its folder, or look at' : 'Look at'
    super(`${what} ${address} cannot be opened: ${cause.message}. ${advice} ${setting}.`, { cause })
  }
}
