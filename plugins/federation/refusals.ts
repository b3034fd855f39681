import { isProblem, problem, type Problem } from '../../lib/problem.js'
import { OutboundError } from './outbound.js'

/** Retry-After when a provider cannot be reached, seconds. */
const retryAfter = 10

const chain = (error: unknown): Error[] => (error instanceof Error ? [error, ...chain(error.cause)] : [])

/** The engine quotes what it could not read, such as a token: of its errors only the name is kept. */
const describe = (error: Error): string =>
  error instanceof SyntaxError || error instanceof TypeError ? error.name : error.message

/**
 * The refusal for what went wrong between us and a provider: `unavailable` when it did not answer, else `invalid_grant`.
 * Of the error only the messages are kept: what is attached to it may hold tokens.
 */
export const toRefusal = (platform: string, error: unknown): Problem => {
  if (isProblem(error)) return error
  const errors = chain(error)
  const cause = new Error(`${platform}: ${errors.map(describe).join(': ')}`)
  const isOutage = errors.some((one) => one instanceof OutboundError)
  return isOutage ? problem('unavailable', { retryAfter, cause }) : problem('invalid_grant', { cause })
}
