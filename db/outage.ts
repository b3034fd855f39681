import { TemporaryFolderError } from '../lib/temporary-folder.js'
import { isEngineOutage } from './engines.js'
import { OverloadError, RedisError } from './errors.js'

/** Kysely's message for a closed database; the error has no code. */
const closed = 'driver has already been destroyed'

/** Whether an error means that the database cannot serve now; otherwise the query was wrong. */
export const isOutage = (error: unknown): boolean =>
  error instanceof OverloadError ||
  error instanceof RedisError ||
  error instanceof TemporaryFolderError ||
  (error instanceof Error && (error.message.includes(closed) || isEngineOutage(error)))
