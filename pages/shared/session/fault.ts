import { RollcallError } from '../../../client/index.js'
import { duration } from '../language/language.js'
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

const messageOf = ({ message, status, reason, retryAfter }: RollcallError): string => {
  if (reason === undefined) return frame.unexpected(String(status))
  if (retryAfter !== undefined) return `${message}${frame.gap}${frame.retryIn(duration(retryAfter))}`
  return message
}

/** The server says it as the end of a sentence that begins with the field. */
const asSentence = ([first = '', ...others]: string): string => first.toLocaleUpperCase() + others.join('')

/** The words for what a request has thrown. The first violation is in the message of the server, too. */
export const toFault = (error: unknown): Fault => {
  if (error instanceof Refusal) return { message: error.message, reason: undefined, fields: error.fields }
  if (error instanceof RollcallError) {
    const fields = Object.fromEntries(error.violations.map(({ field, message }) => [field, asSentence(message)]))
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
