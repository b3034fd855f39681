import { isProblem, problem, type Problem } from '../../../lib/problem.js'
import { OutboundError } from '../../../lib/outbound.js'

/** Retry-After when a provider cannot be reached, seconds. */
const retryAfter = 10

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])

/** Messages of these built-in errors may quote their input, such as a token, so only their name is used. */
const describe = (error: Error): string =>
  error instanceof SyntaxError || error instanceof TypeError ? error.name : error.message

/**
 * Error codes of RFC 6749 (5.2), RFC 6750 (3.1), OpenID Connect Core (3.1.2.6) and GitHub. Only these are logged: another text
 * of the provider could contain secrets of the request.
 */
const knownCodes = [
  'access_denied',
  'bad_verification_code',
  'consent_required',
  'incorrect_client_credentials',
  'insufficient_scope',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'invalid_token',
  'login_required',
  'redirect_uri_mismatch',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unverified_user_email',
]

/** The values of `error` in an answer, which the libraries keep as the cause of an error: a body, or a list of challenges. */
const codesIn = (cause: unknown): unknown[] => {
  if (typeof cause !== 'object' || cause === null) return []
  if (Array.isArray(cause)) return cause.flatMap(codesIn)
  const { error, body, parameters } = cause as Record<string, unknown>
  return [error, ...codesIn(body), ...codesIn(parameters)]
}

/** An error whose text is safe to log; the other properties of an error of a provider may contain tokens. */
export const toCause = (platform: string, error: unknown): Error => {
  const errors = causesOf(error)
  const found = errors.flatMap(({ cause }) => codesIn(cause))
  const codes = knownCodes.filter((code) => found.includes(code))
  return new Error([platform, ...errors.map(describe), ...codes].join(': '))
}

/**
 * Maps an error of a provider to a problem: `unavailable` when the provider cannot be reached, otherwise `invalid_grant`.
 */
export const toRefusal = (platform: string, error: unknown): Problem => {
  if (isProblem(error)) return error
  const cause = toCause(platform, error)
  const isOutage = causesOf(error).some((one) => one instanceof OutboundError)
  return isOutage ? problem('unavailable', { retryAfter, cause }) : problem('invalid_grant', { cause })
}
