import { RollcallError } from '../../../client/index.js'
import { dateAndTime, duration } from '../language/language.js'
import { frame } from '../language/frame-words.js'

/** Why something did not work, in words for the person. */
export interface Fault {
  message: string
  reason: string | undefined
  /** What is wrong with a field, by its name in the form. */
  fields: Record<string, string>
}

/** Something that the page itself has to say about a request. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly fields: Record<string, string> = {},
  ) {
    super(message)
  }
}

/** Bans that end later last until somebody lifts them. Seconds, some eleven years. */
const maxBan = 4000 * 86_400

/** The end by the clock of the browser: that in the message is written for other front ends, in the time zone of the service. */
const banMessage = (left: number): string => {
  if (left > maxBan) return frame.banned
  const end = dateAndTime(new Date(Date.now() + left * 1000))
  return `${frame.bannedUntil(end)}${frame.gap}${frame.retryIn(duration(left))}`
}

const messageOf = ({ message, status, reason, retryAfter }: RollcallError): string => {
  if (reason === undefined) return frame.unexpected(String(status))
  if (reason === 'account_banned') return banMessage(retryAfter ?? Infinity)
  if (retryAfter !== undefined) return `${message}${frame.gap}${frame.retryIn(duration(retryAfter))}`
  return message
}

/** The server says it as the end of a sentence that begins with the field. */
const asSentence = ([first = '', ...others]: string): string => first.toLocaleUpperCase() + others.join('')

/** The words for what a request has thrown. The first violation is in the message of the server, too. */
export const toFault = (error: unknown): Fault => {
  if (error instanceof Refusal) return { message: error.message, reason: undefined, fields: error.fields }
  if (error instanceof RollcallError) {
    // A ban is said of the account, not of its name.
    const violations = error.reason === 'account_banned' ? [] : error.violations
    const fields = Object.fromEntries(violations.map(({ field, message }) => [field, asSentence(message)]))
    return { message: messageOf(error), reason: error.reason, fields }
  }
  // `fetch` rejects with a TypeError when no answer arrives.
  if (error instanceof TypeError)
    return { message: navigator.onLine ? frame.unreachable : frame.offline, reason: undefined, fields: {} }
  return { message: frame.failed, reason: undefined, fields: {} }
}

/** Whether the server has refused a request for this reason. */
export const isRefusal = (error: unknown, ...reasons: string[]): error is RollcallError =>
  error instanceof RollcallError && reasons.includes(error.reason ?? '')
