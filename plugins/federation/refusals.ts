import { isProblem, problem, type Problem } from '../../lib/problem.js'
import { OutboundError } from './outbound.js'

/** Retry-After when a provider cannot be reached, seconds. */
const retryAfter = 10

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])

/** Messages of these built-in errors may quote their input, such as a token, so only their name is used. */
const describe = (error: Error): string =>
  error instanceof SyntaxError || error instanceof TypeError ? error.name : error.message

/**
 * Maps an error of a provider to a problem: `unavailable` when the provider cannot be reached, otherwise `invalid_grant`.
 * The cause contains only the messages of the error, because its other properties may contain tokens.
 */
export const toRefusal = (platform: string, error: unknown): Problem => {
  if (isProblem(error)) return error
  const errors = causesOf(error)
  const cause = new Error(`${platform}: ${errors.map(describe).join(': ')}`)
  const isOutage = errors.some((one) => one instanceof OutboundError)
  return isOutage ? problem('unavailable', { retryAfter, cause }) : problem('invalid_grant', { cause })
}
