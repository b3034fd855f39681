import { OperatorError } from '../../../lib/operator-error.js'
import type { SmsSender } from './message.js'

export interface Log {
  info(details: object, message: string): void
}

/** Writes messages to the log, for development. */
export const createLogSender = (log: Log): SmsSender => {
  if (process.env['NODE_ENV'] === 'production') {
    throw new OperatorError(
      'Rollcall does not start: sms.sender `log` shows codes in the log and is refused with NODE_ENV=production.',
    )
  }
  return async ({ phone, text }) => log.info({ phone, text }, 'text message')
}
